# SPDX-License-Identifier: MIT
# ruby: strings, hashes, threads, fibers, fork, exceptions, a garbage-collected heap. Short.
. "$(dirname "$0")/common.sh"
need ruby
recorded ruby -e '
words = (1..20000).map { |i| "word#{i % 700}" }
puts words.group_by { |w| w.size }.map { |k, v| "#{k}:#{v.size}" }.sort.join(",")
puts (1..4).map { |n| Thread.new { (1..2000).map { |i| (i * n).to_s }.join.size } }.sum(&:value)
gen = Fiber.new { a, b = 0, 1; loop { Fiber.yield a; a, b = b, a + b } }
puts 90.times.map { gen.resume }.last
puts [3, 1, 2].permutation.map(&:join).sort.join(" ")
begin; raise ArgumentError, "seen"; rescue => e; puts e.message; end
pid = fork { Array.new(10000) { "x" * 50 }; exit!(4) }
Process.wait(pid); puts $?.exitstatus
puts "a1b22c333".scan(/\d+/).inspect, `echo child`
GC.start; ObjectSpace.each_object(String).count > 0 and puts "objects"
exit 5' || echo "status $?"
