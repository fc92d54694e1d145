# SPDX-License-Identifier: MIT
# php: an allocator with pools of its own (USE_ZEND_ALLOC=0 hands all to malloc), once each way. Short.
. "$(dirname "$0")/common.sh"
need php
cat > main.php <<'END'
<?php
class Node { public $next; public $data; function __construct($d) { $this->data = $d; } }
$count = []; for ($i = 0; $i < 20000; $i++) { $k = "k" . ($i * 7919 % 503); $count[$k] = ($count[$k] ?? 0) + $i; }
ksort($count); echo count($count), " ", array_sum($count), "\n";
for ($r = 0; $r < 5; $r++) { $a = new Node(str_repeat("x", 100)); $b = new Node([1, 2]); $a->next = $b; $b->next = $a; unset($a, $b); }
echo gc_collect_cycles(), "\n";
echo preg_match_all('/(\d+)([a-z])/', str_repeat("12a3b", 500), $m), " ", strlen(serialize($m)), "\n";
function gen() { for ($i = 0; $i < 1000; $i++) yield $i => "v$i"; } foreach (gen() as $k => $v) $last = $v; echo $last, "\n";
try { throw new RuntimeException("seen"); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
echo json_encode(json_decode('{"a":[1,2,{"b":null}]}')), "\n", shell_exec("echo child");
exit(6);
END
for own in 1 0; do USE_ZEND_ALLOC=$own recorded php -n main.php || echo "status $?"; done
