# SPDX-License-Identifier: MIT
use strict; my $R=shift//40; my $t=0; srand(3);
for my $k (1..$R){ my %h; my @a;
  for my $i (1..20000){ my $s="key ".($i*7919%5003)." value ".$i; push @a,$s; if($s=~/key (\d+) value (\d+)/){ push @{$h{$1}},$2; } }
  my $j=join("\n",sort @a); $t+=length($j); my @f=map { { n=>$_, l=>[split //,substr($_,0,8)] } } @a[0..4000]; $t+=scalar(@f); for my $q (keys %h){ $t+=@{$h{$q}} } }
print "w6pl $t\n";
