# What Ruby's URI, by its two parsers, sees in texts; and Addressable, if it is there.
#
# ruby ruby.rb < TEXTS    one JSON string a line; prints as libraries.py does
require "uri"
require "json"
begin
  require "addressable/uri"
  require "addressable/version"
rescue LoadError
end

RFC2396 = URI.const_defined?(:RFC2396_PARSER) ? URI::RFC2396_PARSER : URI::RFC2396_Parser.new
RFC3986 = URI.const_defined?(:RFC3986_PARSER) ? URI::RFC3986_PARSER : URI::RFC3986_Parser.new

def parts(url, path)
  [url.scheme, url.userinfo, url.host, url.port && url.port.to_s, path, url.query, url.fragment]
end

def valid(text)
  text.dup.force_encoding("UTF-8").scrub
end

readers = { "ruby" => URI, "ruby-rfc2396" => RFC2396, "ruby-rfc3986" => RFC3986 }.transform_values do |parser|
  ->(text) { url = parser.parse(text); parts(url, url.opaque || url.path) }
end
versions = readers.transform_values { "ruby #{RUBY_VERSION}, uri #{(URI::VERSION rescue '?')}" }
if defined?(Addressable)
  { "addressable" => :parse, "addressable-heuristic" => :heuristic_parse }.each do |name, method|
    readers[name] = ->(text) { url = Addressable::URI.public_send(method, text); parts(url, url.path) }
    versions[name] = "addressable #{Addressable::VERSION::STRING}"
  end
end

STDIN.each_line do |line|
  text = JSON.parse("[#{line}]")[0]
  answers = readers.transform_values do |read|
    read.(text).map { |part| part.nil? ? nil : valid(part.to_s) }
  rescue StandardError => error
    ["!", error.class.name, valid(error.message)[0, 30].sub(/:.*/m, "")]
  end
  puts JSON.generate(answers)
end
STDERR.puts JSON.generate(versions)
