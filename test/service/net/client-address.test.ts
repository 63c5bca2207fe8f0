import { describe, expect, it } from 'vitest'
import { createClientAddress, isTrustProxy } from '../../../src/service/net/client-address'

const find = (setting: string | undefined, socket: string | undefined, headers: Record<string, string>) =>
  createClientAddress(setting)({ socket, header: (name) => headers[name] })
const xff = (value: string) => ({ 'x-forwarded-for': value })

describe('the address of a client', () => {
  it.each<[string, string | undefined, string | undefined, Record<string, string>, string | null]>([
    ['is that of the connection', undefined, '192.0.2.1', xff('198.51.100.1'), '192.0.2.1'],
    ['is none within the process', undefined, undefined, xff('198.51.100.1'), null],
    ['is told by the one proxy', '1', '10.0.0.1', xff('198.51.100.1'), '198.51.100.1'],
    ['is not what the client itself wrote', '1', '10.0.0.1', xff('127.0.0.1, 198.51.100.1'), '198.51.100.1'],
    ['is behind two proxies', '2', '10.0.0.1', xff('6.6.6.6, 198.51.100.1, 10.0.0.2'), '198.51.100.1'],
    ['is the proxy where that tells nothing', '1', '10.0.0.1', {}, '10.0.0.1'],
    ['is the proxy where it tells nonsense', '1', '10.0.0.1', xff('198.51.100.1, unknown'), '10.0.0.1'],
    ['is the last that is no proxy', '10.0.0.0/8, ::1', '::1', xff('6.6.6.6, 198.51.100.1, 10.2.3.4'), '198.51.100.1'],
    ['is the stranger who is no proxy', '10.0.0.0/8', '192.0.2.1', xff('127.0.0.1'), '192.0.2.1'],
    ['is found through mapped addresses', '10.0.0.0/8', '::ffff:10.0.0.1', xff('198.51.100.1'), '198.51.100.1'],
    ['has no port', '1', '10.0.0.1', xff('198.51.100.1:443'), '198.51.100.1'],
    ['is in Forwarded where that is set', 'forwarded, 1', '10.0.0.1', { forwarded: 'for=6.6.6.6, for="[2001:db8::1]:80";proto=https', 'x-forwarded-for': '9.9.9.9' }, '2001:db8::1'],
    ['is not in a Forwarded that passed through', '1', '10.0.0.1', { forwarded: 'for=127.0.0.1', ...xff('198.51.100.1') }, '198.51.100.1'],
    ['is not hidden in a Forwarded', 'forwarded,10.0.0.0/8', '10.0.0.1', { forwarded: 'for=_hidden;by=10.0.0.1' }, '10.0.0.1'],
  ])('%s', (_what, setting, socket, headers, address) => {
    expect(find(setting, socket, headers)).toBe(address)
  }) // biome-ignore format: a table

  it('is asked for once where a proxy on this machine names it and nothing says to believe that', () => {
    const reported = (
      setting: string | undefined,
      socket: string | undefined,
      headers: Record<string, string>,
    ) => {
      let times = 0
      const address = createClientAddress(setting, () => {
        times += 1
      })
      for (let i = 0; i < 3; i += 1) address({ socket, header: (name) => headers[name] })
      return times
    }
    expect(reported(undefined, '127.0.0.1', xff('198.51.100.1'))).toBe(1)
    expect(reported(undefined, '::ffff:127.0.0.1', { forwarded: 'for=198.51.100.1' })).toBe(1)
    expect(reported(undefined, '127.0.0.1', {})).toBe(0)
    expect(reported(undefined, undefined, xff('198.51.100.1'))).toBe(0)
    expect(reported(undefined, '198.51.100.1', xff('127.0.0.1'))).toBe(0)
    expect(reported('1', '127.0.0.1', xff('198.51.100.1'))).toBe(0)
  })

  it('has a setting that is checked', () => {
    for (const good of ['1', '10.0.0.0/8', 'forwarded,2', '::1, 10.0.0.1'])
      expect(isTrustProxy(good)).toBe(true)
    for (const bad of ['', 'forwarded', 'true', '10.0.0.0/99', '1,10.0.0.1', '-1'])
      expect(isTrustProxy(bad)).toBe(false)
  })
})
