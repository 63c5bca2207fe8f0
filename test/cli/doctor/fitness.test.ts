import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createService, type ServiceOptions } from 'restante/service'
import { describe, expect, it } from 'vitest'
import { examine } from '../../../src/cli/doctor/doctor'
import { judgeSettings } from '../../../src/cli/doctor/fitness'
import { judgeDns } from '../../../src/cli/doctor/fitness-dns'
import { createSelfSigned } from '../../../src/service/inbound/smtp/certificate'
import { readSettings, type SettingName } from '../../../src/service/settings'
import { describeDatabases } from '../../support/databases'
import { createFakeResolver } from '../../support/fake-resolver'
import { type FakeScript, startFakeSmtp } from '../../support/fake-smtp'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'

const strong = 'nV0cQ3vH9b1Kz7Ld2RtYx5WmPq8Sj4Fg6Au+EoIiUhT='
const good: ServiceOptions = {
  domain: 'mail.example.com',
  delivery: 'direct',
  data: '/somewhere',
  smtp: '0.0.0.0:25',
  publicUrl: 'https://mail.example.com',
  secret: strong,
}

const judged = (options: ServiceOptions, inArguments: SettingName[] = []) =>
  judgeSettings({ settings: readSettings({ ...good, ...options }), inArguments })
const checksOf = (options: ServiceOptions, inArguments?: SettingName[]) =>
  judged(options, inArguments).map(({ check }) => check)

describe('settings', () => {
  it('says nothing of those that are fit', () => {
    expect(judged({})).toEqual([])
    // A domain within a network, whose mail a relay takes.
    expect(checksOf({ domain: 'mail.internal', delivery: 'smtp://relay.internal' })).toEqual([])
  })

  it('says that a service as it comes is not fit, signup or none', () => {
    for (const signup of [true, false])
      expect(
        judgeSettings({ settings: readSettings({ data: '/somewhere', signup }), inArguments: [] }),
      ).toMatchObject([{ check: 'local_domain', remedy: expect.stringContaining('RESTANTE_DOMAIN') }])
  })

  it.each<[string, ServiceOptions, SettingName[]?]>([
    ['plain_http', { publicUrl: 'http://mail.example.com' }],
    ['plain_http', { http: '0.0.0.0:80' }],
    ['weak_secret', { secret: 'sixteen letters!' }],
    ['weak_secret', { secret: 'abababababababababababababababababababab' }],
    ['weak_secret', { secret: `${strong.slice(0, 30)}changeme` }],
    ['repeated_secret', { secret: `${strong},${strong}` }],
    ['capture', { delivery: 'capture' }],
    ['private_webhooks', { webhooksAllowPrivate: true }],
    ['claim_page', { publicUrl: undefined }],
    ['unverified_operators', { verifyOperators: false }],
    ['smtp_loopback', { smtp: '127.0.0.1:2525' }],
    ['public_metrics', { metrics: '0.0.0.0:9090' }],
    ['memory_only', { data: undefined }],
    ['secret_in_arguments', { delivery: 'smtp://user:word@relay.example' }, ['delivery']],
    ['secret_in_arguments', {}, ['secret', 'domain']],
    ['secret_in_arguments', { embeddingsKey: 'sk-hush' }, ['embeddingsKey']],
    ['secret_in_arguments', { embeddingsUrl: 'https://user:word@ai.example/v1' }, ['embeddingsUrl']],
  ])('says %s of %j', (check, options, inArguments) => {
    expect(checksOf(options, inArguments)).toEqual([check])
    for (const { problem, remedy } of judged(options, inArguments)) {
      for (const words of [problem, remedy]) expect(words).toMatch(/^\S.{10,}\.$/)
      for (const secret of [strong, 'word@', 'sixteen letters!'])
        expect(problem + remedy).not.toContain(secret)
    }
  })

  it('says that no link verifies operators where mail cannot leave', () => {
    expect(checksOf({ delivery: 'capture', verifyOperators: true })).toEqual([
      'capture',
      'operator_verification',
    ])
  })

  it('leaves what the environment gives alone', () => {
    expect(checksOf({ delivery: 'smtp://user:word@relay.example' }, [])).toEqual([])
    expect(checksOf({ http: '0.0.0.0:80', trustProxy: '1' })).toEqual([])
  })
})

describe('the DNS', () => {
  const domain = 'mail.example.com'
  const dkim = { name: `restante-1._domainkey.${domain}`, value: 'v=DKIM1; k=rsa; p=abc' }
  const names = {
    [domain]: {
      mx: [{ exchange: domain, priority: 10 }],
      txt: [['v=spf1 a mx -all']],
      addresses: ['8.8.4.4'],
    },
    [dkim.name]: { txt: [['v=DKIM1; k=rsa; ', 'p=abc']] },
    '8.8.4.4': { ptr: [domain] },
  }
  const checks = async (changed: Parameters<typeof createFakeResolver>[0], isDirect = true) => {
    const resolver = createFakeResolver({ ...names, ...changed })
    return (await judgeDns({ resolver, domain, isDirect, dkim })).map(({ check }) => check)
  }

  it('says nothing where it has all, nor where it does not answer', async () => {
    expect(await checks({})).toEqual([])
    const silent = { mx: 'ETIMEOUT', txt: 'ETIMEOUT', addresses: 'ETIMEOUT' }
    expect(await checks({ [domain]: silent, [dkim.name]: silent })).toEqual([])
  })

  it('says what it lacks', async () => {
    expect(await checks({ [domain]: {}, [dkim.name]: {} })).toEqual(['mx', 'spf', 'dkim', 'address'])
    expect(await checks({ [domain]: {}, [dkim.name]: {} }, false)).toEqual(['mx', 'spf', 'dkim'])
    expect(await checks({ '8.8.4.4': { ptr: ['host-4.provider.example'] } })).toEqual(['ptr'])
    expect(await checks({ [dkim.name]: { txt: [['v=DKIM1; p=other']] } })).toEqual(['dkim'])
    expect(
      await checks({ [domain]: { ...names[domain], txt: [['v=spf1 -all'], ['v=spf1 a -all']] } }),
    ).toEqual(['spf'])
  })
})

it('the doctor says of a data folder that others may read it, and what is damaged in it', async () => {
  const data = join(await temporaryFolder(), 'data')
  await mkdir(data, { mode: 0o755 })
  await chmod(data, 0o755)
  await writeFile(join(data, 'secret'), 'x')
  const checks = async () =>
    (await examine(readSettings({ data, delivery: 'direct' }), [])).map(({ check, remedy }) => [
      check,
      remedy,
    ])
  expect(await checks()).toEqual([['open_folder', `chmod -R go-rwx ${data}`]])
  await chmod(data, 0o700)
  expect(await checks()).toEqual([])
  await writeFile(join(data, 'restante.sqlite'), '')
  await writeFile(join(data, 'witness'), `7 ${new Date().toISOString()}\n`)
  expect(await checks()).toEqual([['commits_missing', expect.any(String)]])
})

describe('the smarthost', () => {
  const examined = async (delivery: string, deliveryCa?: string) => {
    const settings = readSettings({ ...good, data: undefined, delivery, deliveryCa })
    const findings = await examine(settings, [], { resolver: createFakeResolver({}) })
    return findings.filter(({ check }) => check === 'smarthost')
  }
  const script: FakeScript = { extensions: ['AUTH PLAIN'] }

  it('is not a finding if it accepts the login, and gets no message', async () => {
    const fake = await startFakeSmtp(script)
    expect(await examined(`smtp://user:word@127.0.0.1:${fake.port}?tls=off`)).toEqual([])
    expect(fake.lines.join()).toContain('AUTH PLAIN')
    expect(fake.lines.join()).not.toContain('MAIL FROM')
  })

  it('is a finding if it refuses the login, without a word of the password', async () => {
    const fake = await startFakeSmtp({ ...script, AUTH: '535 5.7.8 wrong' })
    const [finding] = await examined(`smtp://user:word@127.0.0.1:${fake.port}?tls=off`)
    expect(finding?.problem).toContain('535 5.7.8 wrong')
    expect(finding?.remedy).toContain('password in RESTANTE_DELIVERY')
    expect(JSON.stringify(finding)).not.toContain('word@')
  })

  it('is a finding if nothing listens there', async () => {
    const [finding] = await examined('smtp://127.0.0.1:1')
    expect(finding?.remedy).toContain('firewall')
  })

  it('is trusted by the authority in deliveryCa', async () => {
    const certificate = createSelfSigned('localhost')
    const file = join(await temporaryFolder(), 'authority.pem')
    await writeFile(file, certificate.cert)
    const fake = await startFakeSmtp({ ...script, tls: 'works', certificate })
    const url = `smtp://user:word@localhost:${fake.port}`
    const [finding] = await examined(url)
    expect(finding?.remedy).toContain('RESTANTE_DELIVERY_CA')
    expect(await examined(url, file)).toEqual([])
  })

  it('has an authority that can be read, or the service does not start', async () => {
    const data = await temporaryFolder()
    const deliveryCa = join(data, 'missing.pem')
    const starting = createService({ delivery: 'smtp://user:word@relay.example', deliveryCa })
    await expect(starting).rejects.toThrow(/RESTANTE_DELIVERY_CA.*missing\.pem/)
  })
})

describeDatabases('a service that runs', (openDatabase) => {
  it('is asked for its DKIM key, and its clock is compared', async () => {
    const { options, drop } = await openDatabase()
    const own = { ...options, domain: 'mail.example.com' }
    const service = await openService(own)
    try {
      const record = await service.service.dkimRecord()
      const resolver = createFakeResolver({ [record!.name]: { txt: [[record!.value]] } })
      const ask = async (clock = new JumpClock()) =>
        (await examine(readSettings(own), [], { resolver, clock })).map(({ check }) => check)
      expect(await ask()).not.toContain('dkim')
      expect(await ask()).not.toContain('clock')
      expect(resolver.asked).toContain(`txt ${record!.name}`)
      expect(await ask(new JumpClock(Date.now() - 60_000))).toContain('clock')
    } finally {
      await service[Symbol.asyncDispose]()
      await drop()
    }
  })
})
