import { expect, it } from 'vitest'

/** The types of the specification's tables, as what `toEqual` compares with. */
export const string = expect.any(String)
export const boolean = expect.any(Boolean)
export const integer = expect.toSatisfy(
  (value) => Number.isSafeInteger(value) && value >= 0,
  'an integer, minimum 0',
)
export const email = expect.stringMatching(/^[^@\s]+@[^@\s]+$/)
export const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
export const array = expect.any(Array)
export const orNull = (type: unknown) => expect.toBeOneOf([type, null])
export const oneOf = (...values: unknown[]) => expect.toBeOneOf(values)

/** A table of fields: each row is a test that the record has the field, of that type. */
export function fields(record: () => Promise<unknown>, rows: Record<string, unknown>): void {
  it.each(Object.entries(rows))('has %s, of its type', async (field, type) => {
    expect(await record()).toHaveProperty([field], type)
  })
}

/** The body of every error (section 7): a code, and how to recover. */
export const error = (status: number, code: string) => ({
  status,
  body: { error: code, message: expect.stringMatching(/\w+ \w+/) },
})
