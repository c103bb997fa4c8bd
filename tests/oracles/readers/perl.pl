# What Perl's URI sees in texts.
#
# perl perl.pl < TEXTS    one JSON string a line; prints as libraries.py does
use strict;
use warnings;
no warnings;
use URI;
use JSON::PP;

my $json = JSON::PP->new->allow_nonref->ascii;

# what a method returns, as a text; undef if the class of the URL does not have it
sub component {
    my ($url, $method) = @_;
    my $value = $url->can($method) ? scalar $url->$method : undef;
    return defined $value ? "$value" : undef;
}

while (<STDIN>) {
    my $text = $json->decode($_);
    my $answer = eval {
        my $url = URI->new($text);
        my $path = $url->can("path") ? "path" : "opaque";
        [map { component($url, $_) } "scheme", "userinfo", "host", "_port", $path, "query", "fragment"];
    };
    $answer = ["!", "die", substr($@, 0, 40)] if $@;
    print $json->encode({ perl => $answer }), "\n";
}
print STDERR $json->encode({ perl => "URI $URI::VERSION, perl $^V" }), "\n";
