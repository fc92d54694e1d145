# SPDX-License-Identifier: MIT
# Perl: a tree node and its owner refer to each other. With "fixed" the back reference is weakened.
# perl script_perl_cycle.pl CYCLES [fixed] [step]
use strict;
use warnings;
use Scalar::Util qw(weaken);
use DynaLoader;
use File::Basename qw(dirname);
use Cwd qw(abs_path);

my $cycles = (shift @ARGV // 40) + 0 || 40;
my $fixed = grep { $_ eq 'fixed' } @ARGV;

my $mark = sub { };
if (my $lib = DynaLoader::dl_load_file(dirname(abs_path($0)) . '/../bin/perlmark.so', 0)) {
    my $sym = DynaLoader::dl_find_symbol($lib, 'perl_genmark_mark');
    DynaLoader::dl_install_xsub('main::genmark_mark', $sym);
    $mark = \&main::genmark_mark;
}

sub make_owner {
    my ($i) = @_;
    my $owner = { name => "owner with the number " . (10000 + $i), items => [] };
    for my $k (1 .. 3) {
        my $item = { id => $k, owner => $owner };
        weaken($item->{owner}) if $fixed;
        push @{ $owner->{items} }, $item;
    }
    return $owner;
}

sub work {
    my ($i) = @_;
    my %h = map { ("key$_" => $_ * $i) } 1 .. 20;
    my $s = join ',', map { "$_=$h{$_}" } sort keys %h;
    return length $s;
}

my $n = 0;
for my $i (1 .. $cycles) {
    my $o = make_owner($i);
    $n += work($i) + scalar @{ $o->{items} };
    undef $o;
    $mark->('cycle');
}
print "done $cycles\n";
