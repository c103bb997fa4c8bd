<?php
// What parse_url sees in texts; from PHP 8.5 on also Uri\Rfc3986\Uri and Uri\WhatWg\Url.
//
// php php.php < TEXTS    one JSON string a line; prints as libraries.py does
function told($value) { return $value === null ? null : (string)$value; }

function userinfo($user, $password) {
    return $user === null && $password === null ? null : $user . ($password === null ? "" : ":" . $password);
}

function legacy($text) {
    $u = parse_url($text);
    if ($u === false) return ["!", "false", ""];
    $userinfo = userinfo($u["user"] ?? null, $u["pass"] ?? null);
    $part = fn($name) => told($u[$name] ?? null);
    return [$part("scheme"), $userinfo, ...array_map($part, ["host", "port", "path", "query", "fragment"])];
}

function rfc3986($text) {
    $u = new Uri\Rfc3986\Uri($text);
    return [$u->getRawScheme(), $u->getRawUserInfo(), $u->getRawHost(), told($u->getPort()), $u->getRawPath(),
        $u->getRawQuery(), $u->getRawFragment()];
}

function whatwg($text) {
    $u = new Uri\WhatWg\Url($text);
    return [$u->getScheme(), userinfo($u->getUsername(), $u->getPassword()), $u->getAsciiHost(), told($u->getPort()),
        $u->getPath(), $u->getQuery(), $u->getFragment()];
}

$readers = ["php" => "legacy"];
if (class_exists("Uri\\Rfc3986\\Uri")) $readers += ["php-rfc3986" => "rfc3986", "php-whatwg" => "whatwg"];
while (($line = fgets(STDIN)) !== false) {
    $text = json_decode($line);
    $answers = [];
    foreach ($readers as $name => $read) {
        try { $answers[$name] = $read($text); }
        catch (Throwable $error) { $answers[$name] = ["!", get_class($error), substr($error->getMessage(), 0, 50)]; }
    }
    echo json_encode($answers, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES), "\n";
}
fwrite(STDERR, json_encode(array_fill_keys(array_keys($readers), "PHP " . PHP_VERSION)) . "\n");
