import { definitions, type Shape } from './wire'

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const isOfType = (type: string | readonly string[], value: unknown): boolean => {
  if (typeof type !== 'string') return type.some((one) => isOfType(one, value))
  return type === 'integer' ? Number.isInteger(value) : type === typeOf(value)
}

function misfitOfFields(shape: Shape, value: Record<string, unknown>): string | null {
  const { properties = {}, optional = [], additionalProperties } = shape
  for (const name of Object.keys(properties)) {
    const isThere = value[name] !== undefined
    if (!isThere && !optional.includes(name)) return `.${name} is missing`
    const found = isThere ? misfitOf(properties[name]!, value[name]) : null
    if (found) return `.${name}${found}`
  }
  if (additionalProperties !== false) return null
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(properties, name))
  return unknown === undefined ? null : `.${unknown} is not known`
}

/** Returns the first misfit of a value, such as `.messages[0].id is missing`; null if it fits. */
export function misfitOf(shape: Shape, value: unknown): string | null {
  if (shape.$ref !== undefined) return misfitOf(definitions[shape.$ref]!, value)
  if (shape.anyOf) {
    const found = shape.anyOf.map((one) => misfitOf(one, value))
    return found.includes(null) ? null : found[0]!
  }
  if (shape.type !== undefined && !isOfType(shape.type, value))
    return ` is of the type ${typeOf(value)}, not ${[shape.type].flat().join(' or ')}`
  if ('const' in shape ? shape.const !== value : shape.enum && !shape.enum.includes(value))
    return ` is not ${JSON.stringify(shape.const ?? shape.enum)}`
  if (shape.items && Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const found = misfitOf(shape.items, item)
      if (found) return `[${i}]${found}`
    }
  }
  return shape.properties ? misfitOfFields(shape, value as Record<string, unknown>) : null
}
