# SPDX-License-Identifier: MIT
# tclsh: lists, arrays, dicts, regular expressions, exec. Short.
. "$(dirname "$0")/common.sh"
need tclsh
cat > script.tcl <<'END'
set sum 0
for {set i 0} {$i < 20000} {incr i} {
    set s "key [expr {$i * 7919 % 5003}] value $i"
    lappend all $s
    lappend by([lindex $s 1]) $i
    if {[regexp {key (\d+)} $s -> n]} { incr sum $n }
}
puts "$sum [llength $all] [array size by] [string length [join [lsort $all] \n]]"
foreach s $all { dict lappend d [string range $s 0 5] $s }
puts [dict size $d]
puts [exec echo from a child]
puts [catch { error "a failure" } message]:$message
END
recorded tclsh script.tcl
