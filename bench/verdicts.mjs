// node bench/verdicts.mjs --before FOLDER
// How two built versions judge the senders of the messages of the corpora: this one, and the one in FOLDER. Each message
// comes twice by SMTP, from a server that SPF admits, and then with a signature from one that it does not.
import { fork } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import DKIM from 'nodemailer/lib/dkim'
import { readMessages } from './corpora.mjs'
import { resolverOf } from './open-resolver.mjs'
import { openDialogue } from './smtp-dialogue.mjs'

const here = fileURLToPath(new URL('..', import.meta.url))
/** Reads the messages, with the line ends of SMTP and the address in From. */
const messages = () =>
  readMessages()
    // Without the files that describe a folder.
    .filter(({ name }) => !/\/[A-Z.]+$/.test(name))
    .map(({ name, raw: octets }) => {
      const raw = octets.toString('latin1').replace(/\r?\n/g, '\r\n')
      const from = /^From:(?:.|\r\n[ \t])*?([\w.+-]+@(?:[\w-]+\.)+[\w-]+)/im.exec(raw)?.[1] ?? 'a@b.example'
      return { name, raw: raw.endsWith('\r\n') ? raw : `${raw}\r\n`, from }
    })

/** Signs a message for the domain in From, as most servers do. */
async function signed({ name, raw, from }, privateKey) {
  const domainName = from.slice(from.indexOf('@') + 1).toLowerCase()
  const signer = new DKIM({ domainName, keySelector: 's', privateKey })
  return { name, from, raw: (await buffer(signer.sign(Buffer.from(raw, 'latin1')))).toString('latin1') }
}

/** A DNS in which every domain admits this machine or nobody, has DMARC, and has the key of this run. */
const resolverFor = (record, isAdmitted) =>
  resolverOf({
    ...{ dkim: record, dmarc: 'v=DMARC1; p=reject' },
    spf: isAdmitted ? 'v=spf1 ip4:127.0.0.1 -all' : 'v=spf1 -all',
  })

/** Sends all messages to a service of one version, and returns the verdicts of its records. */
async function judge({ folder, way, record, all }) {
  const { createService } = await import(pathToFileURL(join(folder, 'dist/service.js')).href)
  const limits = { smtpMailsPerMinute: 100_000, smtpConnectsPerMinute: 100_000, requestsPerMinute: 100_000 }
  const service = await createService(
    { ...limits, http: '127.0.0.1:0', smtp: '127.0.0.1:0', log: 'silent' },
    { resolver: resolverFor(record, way === 'SPF') },
  )
  const { smtp } = await service.listen()
  const { address, apiKey } = await service.home()
  const headers = { authorization: `Bearer ${apiKey}` }
  const verdicts = []
  for (const { raw, from } of all) {
    const { socket, begin, reply } = await openDialogue(smtp)
    try {
      await begin(from, address)
      socket.write(Buffer.from(`${raw.replace(/^\./gm, '..')}.\r\n`, 'latin1'))
      const [, id] = /Accepted as (\S+)/.exec(await reply())
      const answer = await service.fetch(new Request(`http://x/v1/messages/${id}`, { headers }))
      const { authentication } = await answer.json()
      const { spf, dkim, dmarc, from_verified } = authentication ?? {}
      verdicts.push({ spf, dkim, dmarc, from_verified })
    } catch (error) {
      verdicts.push({ refused: error.message.trim() })
    }
    socket.destroy()
  }
  await service.close()
  process.send(verdicts)
}

async function compare(before) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
  const plain = messages()
  const columns = ['SPF pass', 'DKIM pass', 'DMARC pass', '`from_verified`', 'refused']
  console.log(
    `| ${plain.length} messages | version | ${columns.join(' | ')} |\n|---|---|---|---|---|---|---|`,
  )
  for (const way of ['SPF', 'DKIM']) {
    const all = way === 'SPF' ? plain : await Promise.all(plain.map((one) => signed(one, key)))
    const judged = []
    for (const folder of [before, here]) {
      const child = fork(fileURLToPath(import.meta.url))
      child.send({ folder, way, record, all })
      judged.push((await once(child, 'message'))[0])
      child.disconnect()
    }
    for (const [at, verdicts] of judged.entries()) {
      const count = (is) => verdicts.filter(is).length
      const passes = ['spf', 'dkim', 'dmarc'].map((name) => count((one) => one[name] === 'pass'))
      const others = [count((one) => one.from_verified), count((one) => one.refused !== undefined)]
      console.log(`| proof by ${way} | ${['before', 'now'][at]} | ${[...passes, ...others].join(' | ')} |`)
    }
    const changes = new Map()
    for (const [at, { name }] of plain.entries()) {
      const [old, now] = judged.map((verdicts) => JSON.stringify(verdicts[at]))
      if (old !== now) changes.set(`${old} → ${now}`, [...(changes.get(`${old} → ${now}`) ?? []), name])
    }
    for (const [change, names] of changes)
      console.error(`${way}, ${names.length} messages: ${change}: ${names.slice(0, 3).join(', ')}`)
  }
}

if (process.send) process.once('message', judge)
else await compare(resolve(parseArgs({ options: { before: { type: 'string' } } }).values.before))
