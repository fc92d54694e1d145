# SPDX-License-Identifier: MIT
# Perl: subscribers of a bus. With "fixed" those of an earlier cycle are taken off it.
# perl script_perl_subs.pl CYCLES [fixed]
use strict;
use warnings;
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

my @bus;

sub subscribe {
    my ($i) = @_;
    my $text = "subscriber " . ('x' x 400) . $i;
    push @bus, { text => $text };
    shift @bus if $fixed && @bus > 3;
    return length $text;
}

my $n = 0;
for my $i (1 .. $cycles) {
    $n += subscribe($i);
    $mark->('cycle');
}
print "done $cycles\n";
