// An agent that is asked about an invoice: it reads the second page of the PDF, and answers with the total.
import { createWorld } from 'restante/testing'
import { createToolbox } from 'restante/tools'

/** Makes a PDF with a line of text on each page. */
function pdfOf(lines: string[]): Uint8Array {
  const kids = lines.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${lines.length} >>`,
  ]
  bodies.push(font)
  for (const line of lines) {
    const content = `BT /F1 12 Tf 50 700 Td (${line}) Tj ET`
    const page = `/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 595 842]`
    bodies.push(`<< /Type /Page /Parent 2 0 R ${page} /Contents ${bodies.length + 2} 0 R >>`)
    bodies.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  }
  const objects = bodies.map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`)
  return new TextEncoder().encode(`%PDF-1.4\n${objects.join('')}trailer\n<< /Root 1 0 R >>\n%%EOF`)
}

// In place of a model: it asks for the page that has the total, and says what it found there.
const wanted = { pages: '2' }
const model = async (read: string) => `The total is ${/Total ([\d.]+ EUR)/.exec(read)?.[1] ?? 'not in it'}.`

await using world = await createWorld()
const mailbox = await world.open()
const ana = world.person('Ana <ana@example.com>')

const run = mailbox.run(
  async (message) => {
    const { tools, prompt, answer } = createToolbox(mailbox, { message })
    const [, name] = /Attachments: ("[^"]+" \([^,]+)/.exec(await prompt()) ?? []
    console.log(`the prompt names ${name})`)
    const file = await tools.read_attachment?.call({ message: message.handle, attachment: 1, ...wanted })
    await answer(await model(JSON.stringify(file)))
  },
  { consumer: 'invoices' },
)

const invoice = pdfOf([
  'Invoice 4711, page 1: ten crates of pears',
  'Page 2: Total 1240.50 EUR, due 31 May 2030',
])
await ana.write({
  to: mailbox.address,
  subject: 'Invoice 4711',
  text: 'How much is it?',
  attachments: [{ filename: 'invoice-4711.pdf', content: invoice, contentType: 'application/pdf' }],
})
const { subject, replyText } = await ana.received()
console.log(`${subject}: ${replyText}`)
await run.stop()
