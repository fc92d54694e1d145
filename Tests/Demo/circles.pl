# SPDX-License-Identifier: MIT
# A program that knows nothing of genmark: it waits for a line, does a cycle, and says that it is ready for the next.
# In every cycle an order and its customer point to each other, so perl's reference counts never give them back;
# the basket of the same cycle is given back.
use strict;
use warnings;

$| = 1;

sub place_order {
    my ($number) = @_;
    my $customer = { name => "Customer number $number", address => 'Long Street 12, Some Town' };
    my $order    = { number => $number, customer => $customer };
    $customer->{last_order} = $order;
    return $order;
}

sub fill_basket {
    my ($number) = @_;
    my @basket = map { { article => "Article $_", price => $_ * $number } } 1 .. 30;
    my $sum = 0;
    $sum += $_->{price} for @basket;
    return $sum;
}

my $turnover = 0;
my $number   = 0;
print "ready $$\n";
while (<STDIN>) {
    $number++;
    place_order($number);
    $turnover += fill_basket($number);
    print "ready $$\n";
}
print "turnover $turnover\n";
