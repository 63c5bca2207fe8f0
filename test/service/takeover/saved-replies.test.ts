import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('saved replies', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  const save = (name: string, text: string) =>
    service.call('POST', '/saved-replies', { body: { name, text } })
  const listed = async (query = '') => (await service.call('GET', `/saved-replies${query}`)).body

  it('are saved under a name, replaced by it, listed and deleted', async () => {
    const first = await save('Thanks', 'Dear {{first_name}}, thank you.')
    expect(first).toMatchObject({
      status: 201,
      body: { name: 'Thanks', text: 'Dear {{first_name}}, thank you.' },
    })
    const second = await save('Refund', 'We will look at {{ subject }}.')
    const again = await save('Thanks', 'Thank you, {{name}}.')
    expect(again).toMatchObject({ status: 200, body: { ...first.body, text: 'Thank you, {{name}}.' } })
    expect((await listed()).saved_replies).toEqual([again.body, second.body])
    const page = await listed('?limit=1')
    expect(page.saved_replies).toEqual([again.body])
    expect((await listed(`?cursor=${page.next_cursor}`)).saved_replies).toEqual([second.body])
    expect((await service.call('DELETE', `/saved-replies/${first.body.id}`)).status).toBe(204)
    expect((await service.call('DELETE', `/saved-replies/${first.body.id}`)).status).toBe(404)
    expect((await listed()).saved_replies).toEqual([second.body])
  })

  it('have only variables that can be filled in', async () => {
    expect(await save('Odd', 'Dear {{nobody}}')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: [{ field: 'text' }] },
    })
  })

  it('are at most 500', async () => {
    const { saved_replies } = await listed()
    for (let left = 500 - saved_replies.length; left > 0; left--) await save(`Reply ${left}`, 'x')
    expect((await save('One more', 'x')).body.error).toBe('saved_reply_limit_reached')
    expect((await save('Reply 1', 'y')).status).toBe(200)
  })
})
