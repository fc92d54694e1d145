# SPDX-License-Identifier: MIT
set R [expr {$argc>0?[lindex $argv 0]:40}]; set t 0
for {set k 0} {$k<$R} {incr k} { array unset h; set l {}
 for {set i 0} {$i<15000} {incr i} { set s "key [expr {$i*7919%5003}] value $i"; lappend l $s; lappend h([lindex $s 1]) $i; if {[regexp {key (\d+) value (\d+)} $s -> a b]} {incr t $a} }
 set j [join [lsort $l] "\n"]; incr t [string length $j]; set d [dict create]; foreach s [split $j "\n"] { dict lappend d [string range $s 0 5] $s }; incr t [dict size $d] }
puts "w6tcl $t"
