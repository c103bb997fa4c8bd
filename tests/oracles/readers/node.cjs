// What Node's URL and url.parse see in texts; and whatwg-url, url-parse, urijs, fast-uri and uri-js of ORACLE_MODULES.
//
// node node.cjs < TEXTS    one JSON string a line; prints as libraries.py does
const fs = require("fs"), legacy = require("url");
const folder = process.env.ORACLE_MODULES || __dirname + "/node_modules";
process.removeAllListeners("warning");
process.on("warning", () => {});

const text = value => value === undefined || value === null ? null : String(value);
const filled = value => value === "" ? null : text(value);
const joined = (user, password) => user === "" && password === "" ? null : password === "" ? user : user + ":" + password;

const standard = URL => given => {
  const u = new URL(given);
  const host = [joined(u.username, u.password), u.hostname, filled(u.port)];
  return [u.protocol.slice(0, -1), ...host, u.pathname, u.search, u.hash];
};

const readers = { node: standard(URL), "node-legacy": given => {
  const u = legacy.parse(given);
  const scheme = u.protocol ? u.protocol.slice(0, -1) : null;
  return [scheme, ...[u.auth, u.hostname, u.port, u.pathname, u.search, u.hash].map(text)];
} };
const versions = { node: "node " + process.version, "node-legacy": "node " + process.version };

// add a reader of a module, if that is installed
const add = (name, made) => {
  let module;
  try { module = require(folder + "/" + name); } catch (error) { return; }
  readers[name] = made(module);
  versions[name] = name;
  try {
    versions[name] += " " + JSON.parse(fs.readFileSync(folder + "/" + name + "/package.json")).version;
  } catch (error) {}
};
add("whatwg-url", module => standard(module.URL));
add("url-parse", Url => given => {
  const u = new Url(given, {});
  const scheme = filled(u.protocol) && u.protocol.replace(/:$/, "");
  return [scheme, filled(u.auth), text(u.hostname), filled(u.port), ...[u.pathname, u.query, u.hash].map(text)];
});
add("urijs", URI => given => {
  const u = URI.parse(given), { username: user, password } = u;
  const userinfo = user == null && password == null ? null : (user || "") + (password == null ? "" : ":" + password);
  return [text(u.protocol), userinfo, ...[u.hostname, u.port, u.path, u.query, u.fragment].map(text)];
});
for (const name of ["fast-uri", "uri-js"]) add(name, module => given => {
  const u = module.parse(given);
  if (u.error) throw { code: u.error };
  return [u.scheme, u.userinfo, u.host, u.port, u.path, u.query, u.fragment].map(text);
});

const printed = [];
for (const line of fs.readFileSync(0, "utf8").split("\n")) if (line) {
  const given = JSON.parse(line), answers = {};
  for (const name in readers) {
    try {
      answers[name] = readers[name](given);
    } catch (error) {
      answers[name] = ["!", String(error.code || error.name || "Error"), String(error.message || "").slice(0, 50)];
    }
  }
  printed.push(JSON.stringify(answers));
}
process.stdout.write(printed.join("\n") + "\n");
process.stderr.write(JSON.stringify(versions) + "\n");
