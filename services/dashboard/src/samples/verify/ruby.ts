import type { VerifySample } from './verify-sample.ts';

export const ruby: VerifySample = {
  id: 'ruby',
  label: 'Ruby',
  file: 'receive.ru',
  run: 'gem install rackup webrick && rackup -p 3000 receive.ru',
  code: `require "json"
require "openssl"

KEY = ENV.fetch("SLUICE_WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m")

def genuine?(env, body)
  timestamp = env["HTTP_WEBHOOK_TIMESTAMP"].to_s
  return false if (Time.now.to_i - timestamp.to_i).abs > 300

  signed = "#{env["HTTP_WEBHOOK_ID"]}.#{timestamp}.".b + body.b
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", KEY, signed)].pack("m0")
  # There are two signatures while a rotated secret still signs.
  env["HTTP_WEBHOOK_SIGNATURE"].to_s.split(" ").any? do |given|
    OpenSSL.secure_compare(expected, given)
  end
end

run(lambda do |env|
  body = env["rack.input"]&.read.to_s
  next [401, {}, []] unless genuine?(env, body)

  message = JSON.parse(body)
  puts "#{message["type"]} #{message["data"]}"
  [204, {}, []]
end)
`,
};
