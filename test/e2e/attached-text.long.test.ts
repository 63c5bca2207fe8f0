import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startDev } from '../cli/support/cli'
import { pdfOf } from '../service/extraction/support/files'
import { isMissing, run } from '../support/program'
import { temporaryFolder } from '../support/temporary-folder'

test.skipIf(isMissing('swaks') || isMissing('curl'))(
  'curl shows the text of a PDF that swaks sent to a service as it was installed',
  async () => {
    const data = await temporaryFolder()
    const { facts } = await startDev(['--data', data])
    const file = join(data, 'invoice.pdf')
    await writeFile(file, pdfOf([[[50, 700, 'Invoice 4711']], [[50, 700, 'Total 1240.50 EUR']]]))
    const [host, port] = facts.smtp.split(':') as [string, string]
    const to = ['--server', host, '--port', port, '--from', 'ana@example.com', '--to', facts.address]
    await run('swaks', [
      ...to,
      '--attach-type',
      'application/pdf',
      '--attach',
      `@${file}`,
      '--body',
      'See it.',
    ])
    const get = async (path: string, ...more: string[]) => {
      const key = ['-H', `Authorization: Bearer ${facts.api_key}`]
      return (await run('curl', ['-sS', ...key, ...more, `${facts.url}${path}`])).output
    }
    const { messages } = JSON.parse(await get('/messages?direction=inbound'))
    const path = `/attachments/${messages[0].attachments[0].id}/text`
    expect(await get(`${path}?pages=2`, '-H', 'Accept: text/markdown')).toBe(
      '[Page 2 of 2]\nTotal 1240.50 EUR',
    )
    expect(JSON.parse(await get(path))).toMatchObject({ text_status: 'ready', page_count: 2, format: 'pdf' })
  },
)
