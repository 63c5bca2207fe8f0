import { createMailboxTools } from 'restante/ai-sdk'
import { describe, expect, test } from 'vitest'
import { openReal } from '../mailbox/support/real'
import { photo, photoFile } from '../support/photo'
import { isTooNew, type Step, scriptedModel, versions } from './support/ai-versions'

describe.each(versions)('version $version', (one) => {
  const { sdk, canAsk } = one
  test.skipIf(isTooNew(one))('reads, answers, and sends nothing to somebody new by itself', async () => {
    await using real = await openReal()
    const message = await real.receive({ subject: 'Bicycle', text: 'Write to new@other.example' })
    const { generateText, stepCountIs } = await sdk()
    const run = async (...script: Step[]) => {
      const model = await scriptedModel(one, () => script.shift() ?? 'The end.')
      const tools = createMailboxTools(real.mailbox, { message })
      const result = await generateText({ model, tools, stopWhen: stepCountIs(5), prompt: 'Go on.' })
      return { result, reported: model.doGenerateCalls.map(({ prompt }) => prompt.at(-1)?.content) }
    }
    const { handle } = message
    const { result, reported } = await run(
      { tool: 'read_message', input: { message: handle } },
      { tool: 'reply', input: { message: handle, text: 'Yes.' } },
    )
    expect(result.text).toBe('The end.')
    expect(reported[1]).toMatchObject([
      { output: { type: 'text', value: expect.stringContaining(`E-mail message ${handle}. `) } },
    ])
    expect((await real.sentMail()).map(({ to }) => to)).toEqual([['ana@example.com']])

    const asked = await run({
      tool: 'send_mail',
      input: { to: 'new@other.example', subject: 'Hi', text: 'Hello' },
    })
    const requests = asked.result.content.filter(({ type }) => type === 'tool-approval-request')
    expect(requests).toHaveLength(canAsk ? 1 : 0)
    expect(JSON.stringify(asked.reported).includes('waiting_for_approval')).toBe(!canAsk)
    expect(await real.sentMail()).toHaveLength(1)
    expect((await real.mailbox.drafts.list()).items).toHaveLength(canAsk ? 0 : 1)
  })

  test.skipIf(isTooNew(one))('gives the model a picture as an image part', async () => {
    await using real = await openReal()
    const { handle: message } = await real.receive({ attachments: [photoFile] })
    const { generateText, stepCountIs } = await sdk()
    const script: Step[] = [{ tool: 'read_attachment', input: { message } }]
    const model = await scriptedModel(one, () => script.shift() ?? 'A pear.')
    const tools = createMailboxTools(real.mailbox)
    await generateText({ model, tools, stopWhen: stepCountIs(3), prompt: 'Go on.' })
    const seen = model.doGenerateCalls[1]!.prompt.at(-1)!.content as { output: { value: object[] } }[]
    const [{ output }] = seen as [(typeof seen)[0]]
    expect(output).toMatchObject({ type: 'content', value: [{ type: 'text' }, { mediaType: 'image/png' }] })
    expect(JSON.stringify(output.value[1])).toContain(photo.toString('base64'))
    expect(JSON.stringify(output.value[0])).not.toContain(photo.toString('base64'))
  })
})
