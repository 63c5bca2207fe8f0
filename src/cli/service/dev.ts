import type { Command } from 'commander'
import { LRUCache } from 'lru-cache'
import { Mailbox } from '../../mailbox/mailbox'
import type { Message } from '../../mailbox/records/message'
import type { MessageSummary } from '../../protocol/records/message'
import { createLocalSignals } from '../../service/log/local-signals'
import type { LogEntry, Signals } from '../../service/ports'
import { createService, type Service, type ServicePorts } from '../../service/service'
import { clockTime, createOutput, jsonOption, type Output, paint, printable } from '../base/output'
import { addSettingFlags, devDefaults, settingOptions } from '../base/setting-flags'
import { untilStopped } from '../base/until-stopped'
import { findAgent, runAgent } from './agent'

/** Defines `restante dev`. */
export const define = (command: Command): Command =>
  addSettingFlags(command, devDefaults)
    .description(
      'Run the service on this machine with a ready account and inbox, and print messages as they arrive and leave.',
    )
    .option('--agent <file>', 'also run this agent module, and restart it when it changes')
    .option(...jsonOption)
    .action(dev)

/** Commit times of messages, more exact than the milliseconds of the records. */
interface CommitTimes {
  /** Wake-ups for the service, which come right after the commit. */
  signals: Signals
  /** Returns the milliseconds since the message was on disk. */
  msSince(message: Message): number
}

function createCommitTimes(): CommitTimes {
  const local = createLocalSignals()
  const times = new LRUCache<string, number>({ max: 1_000 })
  const note = ({ type, json }: LogEntry) => {
    if (type === 'message.received') times.set(JSON.parse(json).data.id, performance.now())
  }
  return {
    signals: {
      subscribe: local.subscribe,
      publish(topic, hint) {
        hint?.().forEach(note)
        local.publish(topic, hint)
      },
    },
    msSince({ id, record }) {
      const committedAt = times.get(id)
      if (committedAt !== undefined) return performance.now() - committedAt
      return Math.max(0, Date.now() - Date.parse(record.created_at))
    },
  }
}

const people = ({ from_addr, to_addrs }: MessageSummary) =>
  `${printable(from_addr, 50)} → ${printable(to_addrs.join(', '), 50)}`

/** Words for the events of outgoing messages. */
const outgoing: Record<string, string> = {
  'message.sent': 'sent',
  'message.delivered': 'delivered',
  'message.deferred': 'deferred',
  'message.bounced': 'bounced',
}

/** Prints messages as they pass, as the mailbox of the account sees them. */
function tail(mailbox: Mailbox, output: Output): void {
  mailbox.on('event', ({ type, data, created_at: at }) => {
    const message = data as MessageSummary
    const { id: message_id, from_addr: from, to_addrs: to, subject, delivery_detail: detail } = message
    const facts = { event: type, at, message_id, from, to, subject }
    const word = outgoing[type]
    if (type !== 'message.received' && !word) return
    const line = `${people(message)}  ${JSON.stringify(printable(subject, 60))}`
    if (!word) return output.tell(`${clockTime()}  ${paint('cyan', 'in')}     ${line}`, facts)
    const how = printable(String(detail ?? ''), 200)
    const colour = type === 'message.bounced' ? 'red' : 'green'
    output.tell(`${clockTime()}  ${paint(colour, 'out')}    ${line}  ${word} (${how})`, { ...facts, detail })
  })
}

interface DevOptions extends Record<string, unknown> {
  agent?: string
  json?: boolean
}

interface Facts {
  url: string
  console_url: string
  sign_in_url: string
  smtp: string
  address: string
  inbox_id: string
  api_key: string
}

function banner(facts: Facts, agent: string | undefined, delivery: string): string {
  const smtp = ['127.0.0.1:2525', 'off'].includes(facts.smtp) ? '' : ` --smtp ${facts.smtp}`
  return `Restante is running. Stop it with Ctrl-C.

  address   ${paint('bold', facts.address)}
  API       ${facts.url}
  API key   ${facts.api_key}
  console   ${facts.sign_in_url}
  SMTP in   ${facts.smtp}
  mail out  ${delivery}${agent ? `\n  agent     ${agent}` : ''}

Send ${agent ? 'your agent' : 'it'} a first email from a second terminal:

  ${paint('bold', `npx restante send ${facts.address} "Hello, is anybody there?"${smtp}`)}
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
  const sign_in_url = service.ownerLink()
  return { url, console_url: consoleUrl, sign_in_url, smtp, address, inbox_id: inboxId, api_key: apiKey }
}

interface Parts {
  service: Service
  /** Path of the agent's file. */
  file: string | undefined
  commits: CommitTimes
  output: Output
}

/** Opens the ports and starts the agent. Returns a function that ends the agent. */
async function start(parts: Parts, options: DevOptions): Promise<() => Promise<void>> {
  const { service, file, commits, output } = parts
  const facts = await readFacts(service)
  const open = () => Mailbox.open({ service })
  // Small cache: it only shows events and reads nothing again.
  const mailbox = await Mailbox.open({ service, maxCacheBytes: 256 * 1024 })
  output.tell(banner(facts, options.agent, deliveryInWords(settingOptions(options).delivery)), facts)
  tail(mailbox, output)
  const agent = file === undefined ? undefined : runAgent({ file, open, output, msSince: commits.msSince })
  return async () => {
    await agent?.close()
    await mailbox.close()
  }
}

/** Runs `restante dev`: everything on this machine, ready to try. */
async function dev(options: DevOptions): Promise<void> {
  const file = options.agent === undefined ? undefined : findAgent(options.agent)
  const output = createOutput(options.json)
  const stopped = untilStopped()
  const commits = createCommitTimes()
  const signInLink: ServicePorts['signInLink'] = ({ email, url }) =>
    output.tell(`${clockTime()}  sign in  ${printable(email)}: ${url}`, { event: 'sign-in-link', email, url })
  const service = await createService(settingOptions(options, devDefaults), {
    signals: commits.signals,
    signInLink,
  })
  try {
    const stop = await start({ service, file, commits, output }, options)
    await stopped
    await stop()
  } finally {
    await service.close()
  }
  output.tell('Stopped.', { event: 'stopped' })
}
