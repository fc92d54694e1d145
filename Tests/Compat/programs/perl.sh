# SPDX-License-Identifier: MIT
# perl: strings, hashes, regular expressions, closures, fork, eval and sort. Short.
. "$(dirname "$0")/common.sh"
need perl
recorded perl -e '
use strict; use warnings; use List::Util qw(sum shuffle); use Data::Dumper; srand 1;
my %words; $words{length $_}{$_}++ for map { "word" x ($_ % 7) . $_ } 1 .. 20000;
print join(",", map { "$_:" . scalar keys %{ $words{$_} } } sort { $a <=> $b } keys %words), "\n";
my @made = map { my $n = $_; sub { $n + shift } } 1 .. 500; print sum(map { $_->(1) } @made), "\n";
my $text = "a1b22c333" x 1000; my $count = () = $text =~ /\d+/g; print "$count\n";
eval { die { code => 7 } }; print $@->{code}, "\n";
my @children; for my $i (1 .. 5) { my $pid = fork; if (!$pid) { my @x = (1) x 10000; exit $i } push @children, $pid }
print join(" ", map { waitpid $_, 0; $? >> 8 } @children), "\n";
print `echo from a shell`, sprintf("%s\n", join "", reverse split //, "genmark");
'
