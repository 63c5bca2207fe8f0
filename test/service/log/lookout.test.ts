import { expect, it } from 'vitest'
import { Lookout } from '../../../src/service/log/lookout'
import { JumpClock } from '../../support/jump-clock'

function setUp() {
  const clock = new JumpClock()
  const asked: string[][] = []
  const heard: string[] = []
  const answers = { of: async (keys: readonly string[]) => new Map(keys.map((key) => [key, key.length])) }
  const lookout = new Lookout<number>(clock, (keys) => {
    asked.push([...keys])
    return answers.of(keys)
  })
  const add = (key: string, name = key) => lookout.add(key, (state) => heard.push(`${name} ${state}`))
  return { clock, asked, heard, answers, add }
}

it('one statement looks for all who wait, every five seconds', async () => {
  const { clock, asked, heard, add } = setUp()
  add('ana', 'first')
  add('ana', 'second')
  add('bo')
  clock.jump(4_999)
  expect(asked).toEqual([])
  clock.jump(1)
  await expect.poll(() => heard).toEqual(['first 3', 'second 3', 'bo 2'])
  clock.jump(5_000)
  await expect.poll(() => heard).toHaveLength(6)
  expect(asked).toEqual([
    ['ana', 'bo'],
    ['ana', 'bo'],
  ])
})

it('who left is told nothing, and nothing is looked at for nobody', async () => {
  const { clock, asked, heard, answers, add } = setUp()
  let answer = (_found: Map<string, number>) => {}
  answers.of = () => new Promise((resolve) => (answer = resolve))
  const leave = add('ana')
  add('bo')()
  clock.jump(5_000)
  leave()
  answer(new Map([['ana', 1]]))
  clock.jump(50_000)
  await Promise.resolve()
  expect({ asked, heard }).toEqual({ asked: [['ana']], heard: [] })
})

it('where it cannot look everybody hears so, and it looks again', async () => {
  const { clock, heard, answers, add } = setUp()
  const { of } = answers
  answers.of = () => Promise.reject(new Error('away'))
  add('ana')
  clock.jump(5_000)
  await expect.poll(() => heard).toEqual(['ana undefined'])
  answers.of = of
  clock.jump(5_000)
  await expect.poll(() => heard).toEqual(['ana undefined', 'ana 3'])
})

it('looks for very many in parts', async () => {
  const { clock, asked, heard, add } = setUp()
  for (let at = 0; at < 2_001; at += 1) add(`account ${at}`)
  clock.jump(5_000)
  await expect.poll(() => heard).toHaveLength(2_001)
  expect(asked.map(({ length }) => length)).toEqual([1_000, 1_000, 1])
})
