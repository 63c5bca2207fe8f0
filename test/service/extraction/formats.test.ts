import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { extractFile } from '../../../src/service/extraction/extract'
import { docxOf, pdfOf, relationsOf, xlsxOf, zipOf } from './support/files'

const read = (
  bytes: string | Uint8Array,
  filename: string | null = null,
  contentType = 'application/octet-stream',
) => extractFile(Buffer.from(bytes as Uint8Array), { filename, contentType })
const pagesOf = async (...given: Parameters<typeof read>) => {
  const { status, pages } = await read(...given)
  expect(status).toBe('ready')
  return pages
}

const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
const para = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`

describe('PDF', () => {
  it('has a page for each page, and a table row on one line', async () => {
    const [first, second] = await pagesOf(
      pdfOf([
        [
          [50, 700, 'Invoice 4711'],
          [50, 680, 'Pears'],
          [200, 680, '12.00'],
          [50, 664, 'Apples'],
          [200, 664, '3.50'],
        ],
        [[50, 700, 'Total 15.50']],
      ]),
    )
    expect(first).toBe('Invoice 4711\nPears  12.00\nApples  3.50')
    expect(second).toBe('Total 15.50')
  })

  it('has tiny text apart, and marked, and no text beside the page', async () => {
    const [page] = await pagesOf(
      pdfOf([
        [
          [50, 700, 'Invoice'],
          [50, 690, 'Ignore all', 0.5],
          [900, 700, 'beside'],
          [50, 680, 'Total 15.50'],
        ],
      ]),
    )
    expect(page).toBe('Invoice\nTotal 15.50\n\nHidden text: Ignore all')
  })

  it('without text needs OCR, also under another name', async () => {
    expect(await read(pdfOf([null]), 'letter.txt', 'text/plain')).toMatchObject({
      status: 'needs_ocr',
      format: 'pdf',
      pageCount: 1,
    })
  })

  it('that is cut off is unreadable', async () => {
    expect(await read('%PDF-1.4\n1 0 obj')).toMatchObject({ status: 'unreadable' })
  })
})

describe('Word', () => {
  it('keeps headings, lists, links and tables; hidden and deleted text is no part of it', async () => {
    const cell = (text: string) => `<w:tc>${para(run(text))}</w:tc>`
    const list = (level: number) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`
    const [text] = await pagesOf(
      docxOf(
        [
          para(run('Offer'), '<w:pStyle w:val="H1"/>'),
          para(`See <w:hyperlink r:id="rId1">${run('our site')}</w:hyperlink>${run(' now')}`),
          para(run('One'), list(0)),
          para(run('Two'), list(1)),
          `<w:tbl><w:tr>${cell('Item')}${cell('Price')}</w:tr><w:tr>${cell('a|b')}${cell('3')}</w:tr></w:tbl>`,
          para(`${run('shown')}${run('unseen', '<w:vanish/>')}<w:del>${run('gone')}</w:del>`),
        ].join(''),
        {
          'word/styles.xml':
            '<w:styles xmlns:w="w"><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>',
          'word/_rels/document.xml.rels': relationsOf([
            'rId1',
            'https://example.com/',
            ' TargetMode="External"',
          ]),
          'word/comments.xml': `<w:comments xmlns:w="w">${para(run('a remark'))}</w:comments>`,
        },
      ),
    )
    expect(text).toBe(
      [
        '# Offer',
        '[our site](https://example.com/) now',
        '- One\n  - Two',
        '| Item | Price |\n| --- | --- |\n| a\\|b | 3 |',
        'shown',
        'Comments, which are not part of the text:',
        'a remark',
        'Hidden text: unseen',
      ].join('\n\n'),
    )
  })

  it('has white text apart, unless it stands on a colour, and text beside the page', async () => {
    const white = (text: string, more = '') => run(text, `<w:color w:val="FFFFFF"/>${more}`)
    const blue = '<w:shd w:val="clear" w:fill="1F4E79"/>'
    const cell = (text: string, fill: string) =>
      `<w:tc><w:tcPr><w:shd w:fill="${fill}"/></w:tcPr>${para(white(text))}</w:tc>`
    const [text] = await pagesOf(
      docxOf(
        [
          para(run('Seen') + white(' unseen 1', '<w:shd w:fill="FFFFFF"/>')),
          para(white('On blue', blue) + white(' marked', '<w:highlight w:val="black"/>')),
          para(white('In a band'), blue),
          para(run('unseen 2'), '<w:ind w:left="-30000"/>'),
          para(run('Indented'), '<w:ind w:left="-300"/>'),
          `<w:tbl><w:tr>${cell('Head', '1F4E79')}${cell('unseen 3', 'auto')}</w:tr></w:tbl>`,
        ].join(''),
      ),
    )
    const [shown, hidden] = text!.split('Hidden text: ')
    for (const words of ['Seen', 'On blue marked', 'In a band', 'Indented', 'Head'])
      expect(shown).toContain(words)
    expect(shown).not.toContain('unseen')
    for (const number of [1, 2, 3]) expect(hidden).toContain(`unseen ${number}`)
  })

  it('begins pages where Word did', async () => {
    const page = '<w:r><w:br w:type="page"/></w:r>'
    expect(await pagesOf(docxOf(para(run('one') + page) + para(run('two'))))).toEqual(['one', 'two'])
  })
})

describe('workbooks', () => {
  it('of Excel have a table for each sheet, with cached values and ISO dates', async () => {
    const rows = [
      '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Due</t></is></c></row>',
      '<row><c r="A2"><f>1+1</f><v>2</v></c><c r="B2" t="b"><v>1</v></c><c r="C2" s="1"><v>45292.5</v></c></row>',
      '<row hidden="1"><c r="A3"><v>3</v></c></row>',
    ]
    const pages = await pagesOf(
      xlsxOf(
        { Orders: rows.join(''), Notes: '<row><c t="str"><v>x</v></c></row>' },
        {
          states: { Notes: 'hidden' },
          more: {
            'xl/sharedStrings.xml': '<sst><si><t>Item</t><rPh><t>no</t></rPh></si></sst>',
            'xl/styles.xml':
              '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>',
          },
        },
      ),
    )
    expect(pages).toEqual([
      '## Orders\n\n| Item |  | Due |\n| --- | --- | --- |\n| 2 | TRUE | 2024-01-01T12:00:00 |\n\nHidden rows:\n\n| 3 |\n| --- |',
      '## Notes (hidden sheet)\n\n| x |\n| --- |',
    ])
  })

  it('of OpenDocument too', async () => {
    const content = `<office:document-content><office:body><office:spreadsheet><table:table table:name="S">
      <table:table-row><table:table-cell office:value-type="date" office:date-value="2026-01-31"><text:p>31.01.26</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="1.5"><text:p>1,5</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row>
      <table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>
      </table:table></office:spreadsheet></office:body></office:document-content>`
    const mimetype = 'application/vnd.oasis.opendocument.spreadsheet'
    expect(await pagesOf(zipOf({ mimetype, 'content.xml': content }))).toEqual([
      '## S\n\n| 2026-01-31 | 1.5 |\n| --- | --- |',
    ])
  })

  it('as CSV keep quoted cells, and have the delimiter of their country', async () => {
    expect(await pagesOf('a;b\n1;"x;""y"\n', 'list.csv', 'text/csv')).toEqual([
      '## list.csv\n\n| a | b |\n| --- | --- |\n| 1 | x;"y |',
    ])
    expect(await pagesOf('a\tb\n1\t2\n', 'list.xls', 'application/vnd.ms-excel')).toEqual([
      '## list.xls\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    ])
  })
})

describe('other documents', () => {
  it('presentations have a page for each slide, with notes marked', async () => {
    const shape = (text: string, type = 'body') =>
      `<p:sp><p:nvPr><p:ph type="${type}"/></p:nvPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
    const pages = await pagesOf(
      zipOf({
        'ppt/presentation.xml':
          '<p:p xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:p>',
        'ppt/_rels/presentation.xml.rels': relationsOf(['rId1', 'slides/slide1.xml']),
        'ppt/slides/slide1.xml': `<p:sld>${shape('Plan', 'title')}${shape('Step')}</p:sld>`,
        'ppt/slides/_rels/slide1.xml.rels': relationsOf(['rId2', '../notesSlides/notes1.xml']),
        'ppt/notesSlides/notes1.xml': `<p:notes>${shape('say this')}</p:notes>`,
      }),
    )
    expect(pages).toEqual([
      '## Plan\n\n- Step\n\nSpeaker notes, which the audience does not see:\n\n- say this',
    ])
  })

  it('OpenDocument texts keep headings, lists and links', async () => {
    const content = `<o:doc><office:body><office:text><text:h text:outline-level="2">Title</text:h>
      <text:p>See<text:s/><text:a xlink:href="https://example.com/">here</text:a></text:p>
      <text:list><text:list-item><text:p>One</text:p></text:list-item></text:list></office:text></office:body></o:doc>`
    expect(
      await pagesOf(zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content })),
    ).toEqual(['## Title\n\nSee [here](https://example.com/)\n\n- One'])
  })

  it('books have a page for each chapter', async () => {
    const chapter = (text: string) => `<html><body><p>${text}</p></body></html>`
    expect(
      await pagesOf(
        zipOf({
          mimetype: 'application/epub+zip',
          'META-INF/container.xml': '<container><rootfile full-path="b/book.opf"/></container>',
          'b/book.opf':
            '<package><item id="a" href="1.xhtml"/><item id="b" href="2.xhtml"/><itemref idref="b"/><itemref idref="a"/></package>',
          'b/1.xhtml': chapter('first'),
          'b/2.xhtml': chapter('second'),
        }),
      ),
    ).toEqual(['second', 'first'])
  })

  it('RTF is decoded by its charset', async () => {
    const file = String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}\'cf\'f0 \u1055?!\par{\v secret}}`
    expect(await pagesOf(file)).toEqual(['Пр П!\n\nHidden text: secret'])
  })

  it('HTML shows its visible text, and the rest apart', async () => {
    expect(await pagesOf('<html><p>Hi</p><p style="display:none">pay now</p></html>', 'a.xls')).toEqual([
      'Hi\n\nHidden text: pay now',
    ])
  })

  it('text is decoded from any charset', async () => {
    expect(await pagesOf(Buffer.from('\ufeffGrüße', 'utf16le'), 'a.txt', 'text/plain')).toEqual(['Grüße'])
    expect(await pagesOf(Buffer.from('Gr\xfc\xdfe', 'latin1'), 'a.txt', 'text/plain')).toEqual(['Grüße'])
  })

  it('cards come without their photo', async () => {
    expect(await pagesOf('BEGIN:VCARD\r\nFN:Ana\r\n  Bell\r\nPHOTO;X=1:abc\r\n d\r\nEND:VCARD')).toEqual([
      'BEGIN:VCARD\r\nFN:Ana Bell\r\n\r\nEND:VCARD',
    ])
  })

  it('archives are listed', async () => {
    const table = '| File | Bytes |\n| --- | --- |'
    expect(await pagesOf(zipOf({ 'a/b.txt': 'abc' }))).toEqual([`${table}\n| a/b.txt | 3 |`])
    const header = Buffer.alloc(1024)
    header.write('c.txt', 0)
    header.write('00000000003', 124)
    header.write('0', 156)
    header.write('ustar', 257)
    expect(await pagesOf(gzipSync(header))).toEqual([`${table}\n| c.txt | 3 |`])
  })

  it('an archive that lies about sizes is read to its end', async () => {
    const header = Buffer.alloc(2048)
    header.write('c.txt', 0)
    header.write('-7', 124)
    header.write('0', 156)
    header.write('ustar', 257)
    header.copy(header, 512, 0, 512)
    header.write('-2000', 512 + 124)
    header.write('5', 512 + 156)
    const table = '| File | Bytes |\n| --- | --- |'
    expect(await pagesOf(gzipSync(header))).toEqual([`${table}\n| c.txt | 0 |`])
  })

  it('an attached message shows who wrote it, three levels deep', async () => {
    const nest = (level: number): string =>
      level === 0
        ? 'From: Eve <eve@example.com>\r\nSubject: deepest\r\n\r\nhi'
        : `From: Bo <bo@example.com>\r\nSubject: level ${level}\r\nContent-Type: message/rfc822\r\n\r\n${nest(level - 1)}`
    const [text] = await pagesOf(nest(4), 'mail.eml')
    expect(text).toContain('From: Bo <bo@example.com>\nSubject: level 4')
    expect(text).toContain('Subject: level 2')
    expect(text).not.toContain('deepest')
  })

  it.each([
    ['unsupported', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    [
      'encrypted',
      Buffer.concat([Buffer.from('d0cf11e0', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
    ],
    ['encrypted', zipOf({ 'word/document.xml': 'x' }, 1)],
    ['needs_ocr', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['unsupported', Buffer.from([1, 0, 2, 0])],
  ])('%s files say so', async (status, bytes) => {
    expect(await read(bytes, 'a.docx')).toMatchObject({ status, pages: [] })
  })
})
