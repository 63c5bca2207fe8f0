// Brings the mail of Cloudflare Email Routing to Restante. Set RESTANTE_URL to what
// `restante admin inbound-key --provider cloudflare` printed, and RESTANTE_KEY as a secret to its key.

const encoder = new TextEncoder()
const hex = (bytes) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function sign(apiKey, text) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(apiKey), algorithm, false, ['sign'])
  return hex(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}

export default {
  async email(message, env) {
    const body = new Uint8Array(await new Response(message.raw).arrayBuffer())
    const query = new URLSearchParams({ from: message.from ?? '', to: message.to }).toString()
    const timestamp = String(Math.floor(Date.now() / 1000))
    const hash = hex(await crypto.subtle.digest('SHA-256', body))
    const response = await fetch(`${env.RESTANTE_URL}?${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'message/rfc822',
        'restante-timestamp': timestamp,
        'restante-content-sha256': hash,
        'restante-signature': await sign(env.RESTANTE_KEY, `${timestamp}.${query}.${hash}`),
      },
      body,
    })
    // What is thrown makes the server of the sender try again: nothing is lost while Restante is away.
    if (!response.ok) throw new Error(`Restante answered ${response.status}: ${await response.text()}`)
    const { messages, refused } = await response.json()
    if (messages.length === 0 && refused.length > 0) message.setReject(refused[0].message)
  },
}
