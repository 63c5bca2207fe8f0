// A service that judges senders by a DNS of its own, and takes the posts of two providers: for bench/hostile-mail.mjs.
import { createService, environmentOptions } from 'restante/service'
import { resolverOf } from './open-resolver.mjs'

const [data, dkimRecord, signingKey] = process.argv.slice(2)

/** Each domain has the same key and lets everybody send for it, so that no signature is skipped. */
const resolver = resolverOf({ dkim: dkimRecord, dmarc: 'v=DMARC1; p=none', spf: 'v=spf1 +all' })
const limits = { requestsPerMinute: 1_000_000, ...environmentOptions(process.env) }
const service = await createService(
  { ...limits, data, http: '127.0.0.1:0', smtp: '127.0.0.1:0' },
  { resolver },
)
const { url, smtp } = await service.listen()
const { address, apiKey, tenantId } = await service.home()

async function keyOf(provider) {
  const key = { account_id: tenantId, name: provider.type, scopes: ['inbound'], provider }
  const { id, api_key } = await service.keys.create(key)
  return { url: `${url}/inbound/keys/${id}/${provider.type}`, apiKey: api_key }
}

const mailgun = await keyOf({ type: 'mailgun', signing_key: signingKey })
const postmark = await keyOf({ type: 'postmark' })
console.log(JSON.stringify({ url, smtp, address, apiKey, mailgun, postmark }))

const alive = setInterval(() => {}, 60_000)
process.on('SIGTERM', async () => {
  clearInterval(alive)
  await service.close()
})
