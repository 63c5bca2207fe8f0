import { on, once } from 'node:events'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Message } from 'restante'
import {
  handle,
  mailEmitter,
  mailObservable,
  mailReadable,
  mailStream,
  onMail,
  onMailCallback,
} from 'restante/events'
import { createWorld } from 'restante/testing'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../src/protocol/errors/error'
import { openReal } from '../mailbox/support/real'
import { factsOf } from '../support/frameworks'
import { obstacle, proves } from '../support/proves'

type Real = Awaited<ReturnType<typeof openReal>>
const consumer = 'desk'
const testRxJs = test.skipIf(obstacle(factsOf('RxJS')) !== null)

/** A way to be told of mail: `left` ends it, `seen` is what it was told. */
interface View {
  seen: string[]
  leave(): unknown
}
type Handle = (message: Message) => unknown

/** Every view, with a handler that is waited for where the view has such. */
const views: Record<string, (real: Real, handle: Handle) => View> = {
  callback: ({ mailbox }, handle) => {
    const seen: string[] = []
    const leave = onMailCallback(
      mailbox,
      (error, message) => {
        if (error) throw error
        seen.push(message!.subject)
        return handle(message!)
      },
      { consumer },
    )
    return { seen, leave }
  },
  observable: ({ mailbox }, handle) => {
    const seen: string[] = []
    const watching = mailObservable(mailbox, { consumer }).subscribe((message) => {
      seen.push(message.subject)
      return handle(message)
    })
    return { seen, leave: () => watching.unsubscribe() }
  },
  'Web stream': ({ mailbox }, handle) => {
    const seen: string[] = []
    const reader = mailStream(mailbox, { consumer }).getReader()
    const read = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        seen.push(next.value.subject)
        await handle(next.value)
      }
    }
    void read()
    return { seen, leave: () => reader.cancel() }
  },
  'Node stream': ({ mailbox }, handle) => {
    const seen: string[] = []
    const readable = mailReadable(mailbox, { consumer })
    const read = async () => {
      for await (const message of readable) {
        seen.push(message.subject)
        await handle(message)
      }
    }
    read().catch(() => {})
    return { seen, leave: () => readable.destroy() }
  },
}

const send = async (real: Real, ...subjects: string[]) => {
  for (const subject of subjects) await real.real.mail({ subject })
}

/** The next message that the consumer has for another loop. What was in hand and left counts as an attempt. */
const nextFor = async ({ mailbox }: Real, wasInHand: 'in hand' | 'untouched'): Promise<string> => {
  await using loop = mailbox.incoming({ consumer })
  const { subject, attempt } = (await loop.next()).value as Message
  expect(attempt).toBe(wasInHand === 'in hand' ? 2 : 1)
  return subject
}

const never = new Promise<void>(() => {})

describe.each(Object.entries(views))('%s', (_name, open) => {
  test('gives each message once, in order, one at a time', async () => {
    await using real = await openReal()
    const going: (() => void)[] = []
    const { seen, leave } = open(real, () => new Promise<void>((resolve) => going.push(resolve)))
    await send(real, 'One', 'Two')
    await expect.poll(() => seen).toEqual(['One'])
    // The second is there, and is not handed over while the first is being handled.
    expect((await real.mailbox.messages.list()).items).toHaveLength(2)
    expect(seen).toEqual(['One'])
    going[0]!()
    await expect.poll(() => seen).toEqual(['One', 'Two'])
    going[1]!()
    await send(real, 'Three')
    await expect.poll(() => seen).toEqual(['One', 'Two', 'Three'])
    await leave()
  })

  test('gives back at once the message in hand when it is left', async () => {
    await using real = await openReal()
    const { seen, leave } = open(real, () => never)
    await send(real, 'One')
    await expect.poll(() => seen).toEqual(['One'])
    await leave()
    // A lease would keep it for 20 seconds, which is longer than this test may take.
    expect(await nextFor(real, 'in hand')).toBe('One')
  })

  test('takes nothing when it is left while it waits', async () => {
    await using real = await openReal()
    const { seen, leave } = open(real, () => {})
    await leave()
    await send(real, 'One')
    expect(await nextFor(real, 'untouched')).toBe('One')
    expect(seen).toEqual([])
  })
})

describe('the emitter', () => {
  proves('EventEmitter and streams', 'loop', 'waits for what its listeners do', async () => {
    await using real = await openReal()
    const emitter = mailEmitter(real.mailbox, { consumer })
    const seen: string[] = []
    emitter.on('message', async (message) => {
      seen.push(message.subject)
      await message.reply({ text: 'Got it.' })
    })
    await send(real, 'One', 'Two')
    await expect.poll(() => real.sentMail().then((sent) => sent.length)).toBe(2)
    expect(seen).toEqual(['One', 'Two'])
  })

  test('keeps a bounded number of messages under events.on, and ends with the mailbox', async () => {
    await using real = await openReal()
    const emitter = mailEmitter(real.mailbox)
    const loop = on(emitter, 'message', { highWaterMark: 1, lowWaterMark: 1, close: ['end'] } as object)
    await send(real, '1', '2', '3', '4', '5')
    const seen: string[] = []
    for await (const [message] of loop as AsyncIterable<[Message]>) {
      seen.push(message.subject)
      if (seen.length === 5) await real.mailbox.close()
    }
    expect(seen).toEqual(['1', '2', '3', '4', '5'])
  })

  test('is paused and resumed', async () => {
    await using real = await openReal()
    const emitter = mailEmitter(real.mailbox)
    const seen: string[] = []
    emitter.on('message', ({ subject }) => {
      seen.push(subject)
      emitter.pause()
    })
    await send(real, 'One', 'Two')
    await expect.poll(() => seen).toEqual(['One'])
    emitter.resume()
    await expect.poll(() => seen).toEqual(['One', 'Two'])
  })

  test('gives once one message, and leaves the rest for the next listener', async () => {
    await using real = await openReal()
    const emitter = mailEmitter(real.mailbox, { consumer })
    const first = once(emitter, 'message') as Promise<[Message]>
    await send(real, 'One', 'Two')
    expect((await first)[0].subject).toBe('One')
    expect(await nextFor(real, 'untouched')).toBe('Two')
    expect(emitter.listenerCount('message')).toBe(0)
    // Whoever listens again begins where the consumer is.
    const [message] = (await once(emitter, 'message')) as [Message]
    expect(message.subject).toBe('Two')
  })

  test('emits what a listener throws as its error event, and gives the message back', async () => {
    await using real = await openReal()
    const emitter = mailEmitter(real.mailbox, { consumer })
    const failed = new Promise((resolve) => emitter.on('error', resolve))
    emitter.on('message', () => Promise.reject(new Error('no paper')))
    await send(real, 'One')
    expect(await failed).toMatchObject({ message: 'no paper' })
    expect(await nextFor(real, 'in hand')).toBe('One')
  })
})

describe('streams', () => {
  proves('EventEmitter and streams', 'streaming', 'a slow pipe holds the mail back', async () => {
    await using real = await openReal()
    const seen: string[] = []
    const going: (() => void)[] = []
    const slow = new Writable({
      objectMode: true,
      highWaterMark: 1,
      write: ({ subject }: Message, _encoding, done) => {
        seen.push(subject)
        going.push(done)
      },
    })
    const leaving = new AbortController()
    const piped = pipeline(mailReadable(real.mailbox, { consumer }), slow, { signal: leaving.signal })
    await send(real, 'One', 'Two')
    await expect.poll(() => seen).toEqual(['One'])
    going[0]!()
    await expect.poll(() => seen).toEqual(['One', 'Two'])
    leaving.abort()
    await expect(piped).rejects.toMatchObject({ name: 'AbortError' })
    expect(await nextFor(real, 'in hand')).toBe('Two')
  })

  test('of the Web can be piped, and end with the mailbox', async () => {
    await using real = await openReal()
    const seen: string[] = []
    const sink = new WritableStream<Message>({
      write: async ({ subject }) => {
        seen.push(subject)
        if (seen.length === 2) await real.mailbox.close()
      },
    })
    const piped = mailStream(real.mailbox).pipeTo(sink)
    await send(real, 'One', 'Two')
    await piped
    expect(seen).toEqual(['One', 'Two'])
  })

  test('fail with an aborted signal, as every view does', async () => {
    await using real = await openReal()
    const { mailbox } = real
    const leaving = new AbortController()
    const { signal } = leaving
    const emitter = mailEmitter(mailbox, { signal }).on('message', () => {})
    const ends = [
      mailStream(mailbox, { signal }).getReader().read(),
      mailReadable(mailbox, { signal }).toArray(),
      new Promise((_, reject) => onMailCallback(mailbox, reject, { signal })),
      new Promise((_, error) => mailObservable(mailbox, { signal }).subscribe({ error })),
      new Promise((_, reject) => emitter.on('error', reject)),
    ]
    leaving.abort(new Error('closing time'))
    for (const end of ends) await expect(end).rejects.toThrow('closing time')
  })
})

test('an observable ends when the mailbox closes, and says when it is closed', async () => {
  await using real = await openReal()
  const completed = new Promise<void>((complete) => {
    mailObservable(real.mailbox).subscribe({ complete })
  })
  const other = mailObservable(real.mailbox).subscribe({})
  expect(other.closed).toBe(false)
  other.unsubscribe()
  expect(other.closed).toBe(true)
  await real.mailbox.close()
  await completed
})

proves(
  'RxJS',
  'loop',
  'from() takes it, operators work, and what was handled does not come again',
  async () => {
    await using real = await openReal()
    const { filter, from, take } = await import('rxjs')
    const subjects: string[] = []
    const observable = from(mailObservable(real.mailbox, { consumer }))
    const done = new Promise<void>((complete, error) => {
      observable
        .pipe(
          handle(({ subject }) => subject),
          filter((subject) => subject !== 'Two'),
          take(2),
        )
        .subscribe({ next: (subject) => subjects.push(subject), complete, error })
    })
    await send(real, 'One', 'Two', 'Three')
    await done
    expect(subjects).toEqual(['One', 'Three'])
    await send(real, 'Four')
    expect(await nextFor(real, 'untouched')).toBe('Four')
  },
)

testRxJs(
  'RxJS gets so many messages as may be out, and none of them is handled unless somebody says so',
  async () => {
    await using real = await openReal()
    const { from } = await import('rxjs')
    const seen: Message[] = []
    const observable = from(mailObservable(real.mailbox, { consumer, maxInFlight: 2 }))
    const watching = observable.subscribe((message) => {
      seen.push(message)
    })
    await send(real, 'One', 'Two', 'Three')
    await expect.poll(() => seen.map(({ subject }) => subject)).toEqual(['One', 'Two'])
    await seen[1]!.ack()
    await expect.poll(() => seen.map(({ subject }) => subject)).toEqual(['One', 'Two', 'Three'])
    watching.unsubscribe()
    expect(await nextFor(real, 'in hand')).toBe('One')
  },
)

testRxJs('a handler that throws in RxJS is told of, and its message comes again', async () => {
  await using real = await openReal()
  const { from } = await import('rxjs')
  const reported: unknown[] = []
  const done: string[] = []
  from(mailObservable(real.mailbox, { consumer }))
    .pipe(
      handle(
        ({ subject, attempt }) => {
          if (attempt === 1 && subject === 'One') throw new Error('no paper')
          return `${subject} ${attempt}`
        },
        { onError: (error) => reported.push(error) },
      ),
    )
    .subscribe((one: string) => done.push(one))
  await send(real, 'One', 'Two')
  await expect.poll(() => done.toSorted()).toEqual(['One 2', 'Two 1'])
  expect(reported).toMatchObject([{ message: 'no paper' }])
})

testRxJs('RxJS acknowledges a message that needs nothing more, and goes on from a Subject', async () => {
  await using real = await openReal()
  const { from, Subject } = await import('rxjs')
  const errors: unknown[] = []
  const done: string[] = []
  const subject = new Subject<Message>()
  subject
    .pipe(
      handle(
        async (message) => {
          if (message.subject === 'One') throw new ServiceError('thread_moved', 'moved on', { status: 409 })
          return message.subject
        },
        { onError: (error) => errors.push(error) },
      ),
    )
    .subscribe((one: string) => done.push(one))
  from(mailObservable(real.mailbox, { consumer })).subscribe(subject)
  await send(real, 'One', 'Two')
  await expect.poll(() => done).toEqual(['Two'])
  expect(errors).toEqual([])
  await send(real, 'Three')
  await expect.poll(() => done).toEqual(['Two', 'Three'])
})

test('onMail tells a handler each message, and ends with what it throws', async () => {
  await using world = await createWorld()
  const mailbox = await world.open()
  const reported: string[] = []
  const failed = new Promise((resolve) => {
    onMail(
      mailbox,
      async ({ subject }) => {
        reported.push(subject)
        if (reported.length === 2) throw new Error('enough')
      },
      { onError: resolve },
    )
  })
  const ana = world.person('ana@example.com')
  await ana.write({ to: mailbox.address, subject: 'One', text: 'x' })
  await ana.write({ to: mailbox.address, subject: 'Two', text: 'x' })
  expect(await failed).toMatchObject({ message: 'enough' })
  expect(reported).toEqual(['One', 'Two'])
})
