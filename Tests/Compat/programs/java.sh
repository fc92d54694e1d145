# SPDX-License-Identifier: MIT
# java: a virtual machine with many threads, machine code made while it runs, native buffers, compression. Long.
# Losses: stacksBroken: machine code without unwind tables
. "$(dirname "$0")/common.sh"
need java javac
cat > Main.java <<'END'
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;
import java.util.zip.*;
public class Main {
  static int hot(int n) { int s = 0; for (int i = 0; i < n; i++) s += Integer.toString(i).hashCode() % 7; return s; }
  public static void main(String[] a) throws Exception {
    long sum = 0; for (int r = 0; r < 300; r++) sum += hot(2000);
    System.out.println(sum);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) { final int n = i; all.add(pool.submit(() -> { ByteBuffer.allocateDirect(1 << 16); return n * n; })); }
    int squares = 0; for (Future<Integer> f : all) squares += f.get();
    pool.shutdown(); System.out.println(squares);
    byte[] data = IntStream.range(0, 20000).mapToObj(Integer::toString).collect(Collectors.joining()).getBytes();
    Deflater d = new Deflater(); d.setInput(data); d.finish(); byte[] out = new byte[data.length]; int size = d.deflate(out); d.end();
    Inflater f = new Inflater(); f.setInput(out, 0, size); byte[] back = new byte[data.length]; System.out.println(f.inflate(back) + " " + Arrays.equals(data, back));
    try { Object o = null; o.toString(); } catch (NullPointerException e) { System.out.println("null seen"); }
    try { deeper(0); } catch (StackOverflowError e) { System.out.println("overflow seen"); }
    System.out.println(new String(new ProcessBuilder("echo", "child").start().getInputStream().readAllBytes()).trim());
    System.gc(); System.exit(3);
  }
  static int deeper(int n) { return deeper(n + 1) + 1; }
}
END
recorded javac -d . Main.java
recorded java -Xmx128m -cp . Main || echo "status $?"
