import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../src/protocol/time/clock'
import { start, startDev, temporaryFolder } from './cli/support/cli'
import { runHere } from './cli/support/in-process'
import { type Framework, factsOf } from './support/frameworks'
import { obstacle } from './support/proves'
import { openService } from './support/service'

const root = join(import.meta.dirname, '..')

/** Runs an example as its own process, to its end. */
const runExample = (name: string) =>
  start(process.execPath, ['node_modules/jiti/lib/jiti-cli.mjs', `examples/${name}`]).ended

/** Runs an example, and looks at all that it prints. */
async function prints(name: string, out: unknown): Promise<void> {
  expect(await runExample(name)).toEqual({ code: 0, err: '', out })
}

/** Examples that need more than is installed here. */
/** Examples that need a framework. */
const needed: Record<string, Framework> = {
  'langchain.ts': 'LangChain 1.x',
  'langgraph.ts': 'LangGraph 1.x',
  'streams/rxjs.ts': 'RxJS',
}
const isSkipped = (name: string): boolean => {
  const framework = needed[name]
  return framework !== undefined && obstacle(factsOf(framework)) !== null
}

/** Every example, with what it must be seen to do. */
const examples: Record<string, () => Promise<void>> = {
  'agent-inbox.ts': async () => {
    expect(await runExample('agent-inbox.ts')).toEqual({
      code: 0,
      err: '',
      out: 'Bicycle of ana@example.com: sent\nRe: Bicycle: Yes, it is still here.\n',
    })
  },
  'ai-sdk.ts': async () => {
    expect(await runExample('ai-sdk.ts')).toEqual({
      code: 0,
      err: '',
      out: 'search_mail was called\nreply was called\nAna has her answer.\nsent: Re: Bicycle\n',
    })
  },
  'chat-sdk.ts': async () => {
    expect(await runExample('chat-sdk.ts')).toEqual({
      code: 0,
      err: '',
      out: [
        'ana@example.com wrote',
        'the bot wrote: Yes, it is blue.',
        'ana@example.com wrote',
        'the bot wrote: It is **very** fast.',
        '',
      ].join('\n'),
    })
  },
  'echo-agent.ts': async () => {
    const data = await temporaryFolder()
    const { dev, facts } = await startDev(['--data', data, '--agent', 'examples/echo-agent.ts'])
    await runHere(['send', facts.address, 'Is anybody there?', '--smtp', facts.smtp])
    const { message_id } = await dev.line({ event: 'message.sent', subject: 'Re: Hello' })
    const answer = await fetch(`${facts.url}/messages/${message_id}`, {
      headers: { authorization: `Bearer ${facts.api_key}` },
    })
    expect(await answer.json()).toMatchObject({
      to_addrs: ['you@example.com'],
      body_text: expect.stringContaining('You wrote:\n\nIs anybody there?'),
    })
  },
  'event-loops.ts': async () => {
    expect(await runExample('event-loops.ts')).toEqual({
      code: 0,
      err: '',
      out: 'answered ana@example.com\nseen: Bicycle\n',
    })
  },
  'langchain.ts': async () => {
    expect(await runExample('langchain.ts')).toEqual({
      code: 0,
      err: '',
      out: 'a human is asked about: reply\nAna has her answer.\nsent: Re: Bicycle\n',
    })
  },
  'langgraph.ts': async () => {
    expect(await runExample('langgraph.ts')).toEqual({
      code: 0,
      err: '',
      out: 'asked: Order 17\nsize: Large, please.\n',
    })
  },
  'embedded.ts': async () => {
    expect(await runExample('embedded.ts')).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(/^ana@example\.com wrote: Is it blue\?\nanswered in thread thr_\w+\n$/),
    })
  },
  'digest.ts': () =>
    prints(
      'digest.ts',
      'Mail of 2030-01-31: sent\nMail of 2030-01-31: was sent already\nToday came:\n- ana@example.com: Hello of ana\n- ben@example.com: Hello of ben\n\n',
    ),
  'invitation.ts': () =>
    prints(
      'invitation.ts',
      'New time proposed: Lunch at 12: I have something else then. (METHOD:COUNTER, DTSTART:20300131T140000Z)\nAccepted: Lunch at 15: I will be there. (METHOD:REPLY, DTSTART:20300131T150000Z)\n',
    ),
  'files/invoice.ts': () =>
    prints(
      'files/invoice.ts',
      'the prompt names "invoice-4711.pdf" (application/pdf)\nRe: Invoice 4711: The total is 1240.50 EUR.\n',
    ),
  'streams/rxjs.ts': async () => {
    let aheadMs = 0
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
    await using real = await openService({}, { clock })
    const { url } = await real.listen()
    const env = { RESTANTE_URL: url, RESTANTE_API_KEY: real.home.apiKey }
    const example = () =>
      start(process.execPath, ['node_modules/jiti/lib/jiti-cli.mjs', 'examples/streams/rxjs.ts'], { env })
    const first = example()
    await real.mail({ subject: 'One', text: 'Is it blue?' })
    await first.out(/answered One/)
    await real.mail({ subject: 'Two', text: 'Is it red?' })
    await first.out(/got Two/)
    await real.mail({ subject: 'Three', text: 'Is it green?' })
    // To get this one, a loop that acknowledges by asking for the next would have acknowledged the one before.
    await first.out(/got Three/)
    await first.kill('SIGKILL')
    // The lease of the dead ends.
    aheadMs += 60_000
    const second = example()
    const sent = async () => {
      const { messages } = (await real.call('GET', '/messages?direction=outbound')).body
      return messages.map(({ subject }: { subject: string }) => subject).toSorted()
    }
    await expect.poll(sent).toEqual(['Re: One', 'Re: Three', 'Re: Two'])
    const left = async () => {
      const { waiting, leased } = (await real.call('GET', '/consumers/desk')).body
      return [waiting, leased]
    }
    await expect.poll(left).toEqual([0, 0])
    await second.kill('SIGKILL')
  },
  'one-time-code.ts': () => prints('one-time-code.ts', 'the code is 493021\n'),
  'support-desk.ts': () =>
    prints(
      'support-desk.ts',
      'Broken lamp: pending_approval\nto ana@example.com: We are sorry about the lamp. A new one is on its way.\nAna reads: We are sorry about the lamp. A new one is on its way.\n',
    ),
  'people/takeover.ts': () =>
    prints(
      'people/takeover.ts',
      'Hours: answered\nAna reads: We are open from 9 to 17.\nRefund: handed over\nAna reads: Send the lamp back, and we refund it.\nRefund: answered\nBen reads: Send the lamp back, and we refund it.\n',
    ),
  'human-in-between.ts': () =>
    prints(
      'human-in-between.ts',
      'Eva reads: Ana asks for 30 % off ten chairs. What may I offer?\nAna reads: Thank you for waiting. 10 %, and free delivery.\n',
    ),
  'two-agents.ts': () =>
    prints('two-agents.ts', expect.stringMatching(/^agent-\w+@restante\.localhost says 42\n$/)),
  'mcp.ts': async () => {
    expect(await runExample('mcp.ts')).toEqual({
      code: 0,
      err: '',
      out: 'restante://inbox has changed\nsearch_mail worked\nreply worked\n',
    })
  },
}

/** Examples that a test of their framework runs, with what else they need. */
const runElsewhere: Record<string, string> = {
  'dbos.ts': 'test/adapters/dbos.test.ts',
  'google-adk.ts': 'test/adapters/google-adk.test.ts',
  'mastra.ts': 'test/adapters/mastra.test.ts',
  'openai-agents.ts': 'test/adapters/openai-agents.test.ts',
  'restate.ts': 'test/adapters/restate.test.ts',
}

describe('every example', () => {
  it.each(Object.entries(runElsewhere))('%s is run by %s', (name, test) => {
    expect(readFileSync(join(root, test), 'utf8')).toContain(`'examples/${name}'`)
  })

  const rest = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !(name in runElsewhere),
  )
  it.for(rest)('%s runs', async (name, { skip }) => {
    skip(isSkipped(name), 'npm ci --prefix test/frameworks')
    const run = examples[name]
    if (!run) throw new Error(`examples/${name} has no test: add one to test/examples.long.test.ts`)
    await run()
  })
})
