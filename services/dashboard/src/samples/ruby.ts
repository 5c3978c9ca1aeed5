import { type Sample, SECRET_VARIABLE } from './sample.ts';

export const ruby: Sample = {
  id: 'ruby',
  label: 'Ruby',
  file: 'send.rb',
  run: 'ruby send.rb',
  code: ({ endpointUrl, secret, body }) => `require 'net/http'
require 'openssl'

secret = ${secret === null ? `ENV.fetch('${SECRET_VARIABLE}')` : `'${secret}'`}
body = <<~'BODY'.chomp
  ${body}
BODY
timestamp = Time.now.to_i.to_s
signature = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{timestamp}.#{body}")

response = Net::HTTP.post(
  URI('${endpointUrl}'),
  body,
  'Content-Type' => 'application/json',
  'X-Service-Timestamp' => timestamp,
  'X-Service-Signature' => "sha256=#{signature}"
)
puts "#{response.code} #{response.body}"
`,
};
