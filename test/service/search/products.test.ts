import { expect, it } from 'vitest'
import { productsOf } from '../../../src/service/search/semantic/products'

let state = 11
const bytes = (count: number) =>
  Int8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return ((state >>> 8) % 255) - 127
  })

it('gives the sum of the products of each row with one, whatever their width and number', () => {
  for (const width of [4, 16, 20, 192, 1_536])
    for (const count of [0, 1, 170, 256, 300]) {
      const [rows, query] = [bytes(width * count), bytes(width)]
      const sums = Array.from({ length: count }, (_, i) =>
        query.reduce((sum, value, d) => sum + value * rows[i * width + d]!, 0),
      )
      expect([...productsOf(rows, query)], `${count} rows of ${width}`).toEqual(sums)
    }
  const most = new Int8Array(1_536).fill(-127)
  expect([...productsOf(most, most)]).toEqual([1_536 * 127 * 127])
  expect([...productsOf(bytes(0), bytes(0))]).toEqual([])
})
