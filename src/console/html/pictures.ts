import type { MessageSummary } from '../../protocol/records/message'
import { download } from '../core/ask'

/** Parts of a message that its HTML view needs. */
export type Shown = Pick<MessageSummary, 'id' | 'attachments'>

/** Pictures as data URLs, by the address that the HTML has for them. */
export type Pictures = Record<string, string>

const atOnce = 4
const maxPictures = 200
const maxBytes = 10 * 1024 * 1024
const shownTypes = /^image\/(?:png|jpe?g|gif|webp|bmp)$/i

const dataOf = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** Reads several pictures, a few at a time, and leaves out those that fail. */
async function readEach(addresses: string[], read: (address: string) => Promise<Blob>): Promise<Pictures> {
  const found: Pictures = {}
  const rest = addresses.slice(0, maxPictures)
  const work = async () => {
    for (let address = rest.shift(); address !== undefined; address = rest.shift())
      try {
        found[address] = await dataOf(await read(address))
      } catch {} // it is left out, and the caller can count it as missing
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}

/** Reads pictures within the message, by their `cid:` addresses. */
export const readInside = (account: string, { attachments }: Shown, addresses: string[]) =>
  readEach(addresses, async (address) => {
    const id = decodeURIComponent(address.slice('cid:'.length))
    const file = attachments.find(({ content_id }) => content_id === id)
    if (!file || file.size > maxBytes || !shownTypes.test(file.content_type)) throw new Error('none to show')
    const blob = await download(`/attachments/${file.id}/content`, account)
    return new Blob([blob], { type: file.content_type.toLowerCase() })
  })

/** Reads external pictures through the service, so that the browser never contacts their hosts. */
export const readOutside = (account: string, { id }: Shown, addresses: string[]) =>
  readEach(addresses, (address) =>
    download(
      `/console/accounts/${account}/messages/${id}/picture?url=${encodeURIComponent(address)}`,
      account,
    ),
  )
