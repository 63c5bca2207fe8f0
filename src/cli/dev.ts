import { Mailbox } from '../mailbox'
import { createService, type Service, type ServicePorts } from '../service/service'
import { runAgent } from './agent'
import { type CommitTimes, createCommitTimes } from './commit-times'
import { devDefaults, settingOptions } from './flags'
import { findAgent } from './load-agent'
import { clockTime, createOutput, type Output, printable } from './output'
import { tail } from './tail'
import { untilStopped } from './until-stopped'

interface DevOptions extends Record<string, unknown> {
  agent?: string
  json?: boolean
}

interface Facts {
  url: string
  console_url: string
  smtp: string
  address: string
  inbox_id: string
  api_key: string
}

function banner(facts: Facts, agent: string | undefined, delivery: string): string {
  const smtp = facts.smtp === '127.0.0.1:2525' ? '' : ` --smtp ${facts.smtp}`
  return `Restante is running. Stop it with Ctrl-C.

  address   ${facts.address}
  API       ${facts.url}
  API key   ${facts.api_key}
  console   ${facts.console_url}
  SMTP in   ${facts.smtp}
  mail out  ${delivery}${agent ? `\n  agent     ${agent}` : ''}

Send ${agent ? 'your agent' : 'it'} a first mail, in a second terminal:

  npx restante send ${facts.address} "Hello, is anybody there?"${smtp}
`
}

function deliveryInWords(delivery: unknown): string {
  if (delivery === undefined || delivery === 'capture')
    return 'captured: kept here, nothing leaves this machine'
  if (delivery === 'direct') return "direct: to the recipients' mail servers"
  return `relayed by ${String(delivery).replace(/\/\/.*@/, '//')}`
}

async function readFacts(service: Service): Promise<Facts> {
  const { url, consoleUrl, smtp } = await service.listen()
  const { address, apiKey, inboxId } = await service.home()
  return { url, console_url: consoleUrl, smtp, address, inbox_id: inboxId, api_key: apiKey }
}

interface Parts {
  service: Service
  /** The path of the agent's file. */
  file: string | undefined
  commits: CommitTimes
  output: Output
}

/** Opens the ports and starts the agent; the returned function ends it. */
async function start(parts: Parts, options: DevOptions): Promise<() => Promise<void>> {
  const { service, file, commits, output } = parts
  const facts = await readFacts(service)
  const open = () => Mailbox.open({ service })
  // It shows what passes, and reads nothing again.
  const mailbox = await Mailbox.open({ service, cacheBytes: 256 * 1024 })
  output.tell(banner(facts, options.agent, deliveryInWords(settingOptions(options).delivery)), facts)
  tail(mailbox, output)
  const agent = file === undefined ? undefined : runAgent({ file, open, output, msSince: commits.msSince })
  return async () => {
    await agent?.close()
    await mailbox.close()
  }
}

/** `restante dev`: everything on this machine, ready to be tried. */
export async function dev(options: DevOptions): Promise<void> {
  const file = options.agent === undefined ? undefined : findAgent(options.agent)
  const output = createOutput(options.json)
  const stopped = untilStopped()
  const commits = createCommitTimes()
  const signInLink: ServicePorts['signInLink'] = ({ email, url }) =>
    output.tell(`${clockTime()}  sign in  ${printable(email)}: ${url}`, { event: 'sign-in-link', email, url })
  const service = await createService(settingOptions(options, devDefaults), { ...commits, signInLink })
  try {
    const stop = await start({ service, file, commits, output }, options)
    await stopped
    await stop()
  } finally {
    await service.close()
  }
  output.tell('Stopped.', { event: 'stopped' })
}
