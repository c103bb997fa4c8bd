// The URL class of Node, or of the npm package named as the argument, asked in one go: JSON in, JSON out.
// A case is [text, base or null] or [text, base, attribute, value to set it to]; the answer is null where the class
// refuses the text, else the attributes in the order below.
"use strict";
const attributes = ["href", "origin", "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash"];
const URL = process.argv[2] ? require(require.resolve(process.argv[2], {paths: [process.cwd()]})).URL : globalThis.URL;

function answer([text, base, name, value]) {
    let url;
    try {
        url = base === null ? new URL(text) : new URL(text, base);
    } catch {
        return null;
    }
    if (name !== undefined) url[name] = value;
    return attributes.map((attribute) => url[attribute]);
}

const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(answer)));
