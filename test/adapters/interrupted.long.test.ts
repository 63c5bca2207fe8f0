import { Mailbox } from 'restante'
import { createToolbox, proposalText } from 'restante/tools'
import { describe, expect, test } from 'vitest'
import { start } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { obstacle } from '../support/proves'
import { type Asked, interruptedRuns } from './support/interrupted'

const jiti = 'node_modules/jiti/lib/jiti-cli.mjs'
/** Frameworks whose run is resumed by a process of its own; the others are resumed here, with another mailbox. */
const inProcess = new Set([
  ...['OpenAI Agents SDK', 'LangChain 1.x middleware', 'Vercel AI SDK 6'],
  ...['Strands Agents', 'Genkit', 'VoltAgent'],
])
const text = 'The price for you is 10.'

/** A mailbox that begins with Bob's mail, as one that was opened later does. */
const openLater = async ({ real }: Awaited<ReturnType<typeof openReal>>) => {
  const mailbox = await Mailbox.open({ service: real.service })
  const { items } = await mailbox.messages.list({ from: 'bob@example.com' })
  expect(items).toHaveLength(1)
  expect(await items[0]!.toPrompt()).toContain('From: "Bob"')
  return mailbox
}

const openAsked = async () => {
  const real = await openReal()
  const ana = await real.receive({ from: 'Ana <ana@example.com>', subject: 'Price?' })
  const reply: Asked = { name: 'reply', input: { message: ana.handle, text } }
  return { real, ana, reply, bobWrites: () => real.receive({ from: 'Bob <bob@example.com>' }) }
}

describe.each(interruptedRuns)('a run of $name', ({ name, needs, begin, resume }) => {
  const reason = needs ? obstacle(needs) : null

  test.skipIf(reason)('that was interrupted here is resumed there, after other mail came first', async () => {
    const { real, ana, reply, bobWrites } = await openAsked()
    await using _ = real
    const { stored, asked, shown } = await begin(real.mailbox, reply)
    expect(asked).toEqual(reply)
    expect(await real.sentMail()).toEqual([])
    await bobWrites()
    if (inProcess.has(name)) {
      const { url } = await real.real.listen()
      const args = [jiti, 'test/adapters/support/resume-run.ts', url, real.real.home.apiKey]
      const ended = await start(process.execPath, [...args, name, stored]).ended
      expect(ended).toMatchObject({ code: 0, out: 'resumed\n' })
    } else {
      await using later = await openLater(real)
      // The human who is asked there is shown the same as here: whom it goes to, and all that it says.
      const proposed = await createToolbox(later).tools[asked!.name]!.propose(asked!.input)
      const mail = { to: ['ana@example.com'], subject: 'Re: Price?', text, message: { id: ana.id } }
      expect(proposed).toMatchObject(mail)
      if (shown !== undefined) expect(shown).toBe(proposalText(proposed!))
      await resume(later, stored)
    }
    expect((await real.sentMail()).map(({ to, text }) => [to, text])).toEqual([[['ana@example.com'], text]])
  })

  test.skipIf(reason)('answers nobody by a handle that is wrong, or whose message is gone', async () => {
    const { real, ana, reply, bobWrites } = await openAsked()
    await using _ = real
    const message = `${ana.handle.slice(0, -3)}${ana.handle.endsWith('zzz') ? 'yyy' : 'zzz'}`
    const wrong = await begin(real.mailbox, { ...reply, input: { message, text } })
    expect(wrong.asked).toBeNull()
    const { stored } = await begin(real.mailbox, reply)
    await bobWrites()
    await ana.delete()
    await using later = await openLater(real)
    await resume(later, stored)
    expect(await real.sentMail()).toEqual([])
    expect((await later.drafts.list()).items).toEqual([])
  })

  test.skipIf(reason)('sends the draft that was approved, and no other', async () => {
    const { real } = await openAsked()
    await using _ = real
    const write = async () => {
      const { tools } = createToolbox(real.mailbox)
      const written = await tools.create_draft!.call({ to: 'ana@example.com', subject: 'Price', text })
      const { draft, seq } = written as { draft: string; seq: number }
      return { name: 'send_draft' as const, input: { draft, seq } }
    }
    const [kept, changed] = [await write(), await write()]
    const runs = [await begin(real.mailbox, kept), await begin(real.mailbox, changed)]
    expect(runs.map(({ asked }) => asked)).toEqual([kept, changed])
    await real.mailbox.drafts.update(changed.input.draft, { text: 'The price is 1.' })
    await using later = await Mailbox.open({ service: real.real.service })
    for (const { stored } of runs) await resume(later, stored)
    expect((await real.sentMail()).map((sent) => sent.text)).toEqual([text])
  })
})
