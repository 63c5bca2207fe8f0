import { describe, expect, it } from 'vitest'
import {
  embedFeatures,
  featuresOf,
  learnModel,
  modelBytes,
  modelOf,
  placesOf,
  pruneModel,
} from '../../../src/service/search/lsa'
import { eigenOf } from '../../../src/service/search/lsa/eigen'
import { truncatedSvd } from '../../../src/service/search/lsa/svd'

const random = (() => {
  let state = 7
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % below
  }
})()
const wordOf = (letters: string) => Array.from({ length: 7 }, () => letters[random(letters.length)]).join('')
/** The words of two subjects, of other letters so that parts of words are not the same either. */
const freight = Array.from({ length: 60 }, () => wordOf('abcdefghi'))
const money = Array.from({ length: 60 }, () => wordOf('mnpqstuvw'))

/** Mails about two subjects. Of the first some say `lorry` and some `truck`, none both. */
const mails = Array.from({ length: 160 }, (_, i) => {
  const words = Array.from({ length: 12 }, () => (i % 2 ? money : freight)[random(60)])
  return [i % 2 ? '' : ['lorry', 'truck', '', ''][(i / 2) % 4], ...words].join(' ')
})

const learned = () => {
  const model = learnModel(mails.map(featuresOf))!
  const places = placesOf(model.keys)
  return { model, embed: (text: string) => embedFeatures(model, places, featuresOf(text)).vector }
}

const likeness = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

describe('latent semantic analysis', () => {
  it('finds mails about the same that have another word for it', () => {
    const { embed } = learned()
    const lorry = embed('lorry')
    const isOfFreight = (mail: string) => freight.some((word) => mail.includes(word))
    const meanOf = (some: string[]) =>
      some.reduce((sum, mail) => sum + likeness(lorry, embed(mail)), 0) / some.length
    const others = mails.filter((mail) => !mail.includes('lorry'))
    const near = meanOf(others.filter(isOfFreight))
    expect(near).toBeGreaterThan(0.05)
    expect(near).toBeGreaterThan(5 * meanOf(others.filter((mail) => !isOfFreight(mail))))
  })

  it('gives vectors of length 1, and none for words that it does not know', () => {
    const { embed } = learned()
    expect(likeness(embed('lorry'), embed('lorry'))).toBeCloseTo(1, 5)
    expect([...embed('xyzzy')].every((value) => value === 0)).toBe(true)
  })

  it('learns no word that only one mail has', () => {
    const alone = featuresOf('8395172640')
    expect(alone.keys.length).toBeGreaterThan(5)
    const { keys } = learnModel([...mails, '8395172640'].map(featuresOf))!
    expect(alone.keys.filter((key) => keys.includes(key))).toEqual(new Uint32Array())
  })

  it('knows a word that lacks a letter', () => {
    const { embed } = learned()
    const word = freight[0]!
    expect(likeness(embed(word.slice(0, 6)), embed(word))).toBeGreaterThan(0.4)
  })

  it('is surer of many words than of few', () => {
    const { model } = learned()
    const confidence = (text: string) =>
      embedFeatures(model, placesOf(model.keys), featuresOf(text)).confidence
    expect(confidence(mails[0]!)).toBeGreaterThan(confidence('lorry'))
    expect(confidence('unheard-of')).toBe(0)
  })

  it('forgets the words of mails that are gone, and keeps those of others', () => {
    const { model } = learned()
    const left = mails.filter((mail) => !mail.includes('lorry'))
    const { keys } = pruneModel(model, left.map(featuresOf))!
    const known = (word: string) => featuresOf(word).keys.filter((key) => keys.includes(key))
    expect(known('lorry').length).toBe(0)
    expect(known('truck').length).toBe(featuresOf('truck').keys.length)
    expect(pruneModel(model, left.slice(0, 49).map(featuresOf))).toBeNull()
  })

  it('says that too few mails mean nothing', () => {
    expect(learnModel(mails.slice(0, 49).map(featuresOf))).toBeNull()
    expect(learnModel(Array.from({ length: 60 }, () => featuresOf('')))).toBeNull()
  })

  it('is the same again from its bytes', () => {
    const { model } = learned()
    expect(modelOf(modelBytes(model))).toEqual(model)
  })

  it('is the same for the same mail', () => {
    expect(modelBytes(learned().model)).toEqual(modelBytes(learned().model))
  })
})

describe('the decompositions below it', () => {
  it('finds the eigenvalues of a symmetric matrix, with their vectors', () => {
    const matrix = [
      [4, 1, -2],
      [1, 2, 0],
      [-2, 0, 3],
    ].map((row) => Float64Array.from(row))
    const { values, vectors } = eigenOf(matrix)
    for (const [i, vector] of vectors.entries())
      for (const [j, row] of matrix.entries())
        expect(row.reduce((sum, x, k) => sum + x * vector[k]!, 0)).toBeCloseTo(values[i]! * vector[j]!, 8)
    expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(9, 8)
  })

  it('finds the largest singular values of a matrix whose values are known', () => {
    // Row i has one entry, 40 - i, in a column of its own.
    const count = 40
    const at = Uint32Array.from({ length: count + 1 }, (_, i) => i)
    const values = Float32Array.from({ length: count }, (_, i) => count - i)
    const { values: found, columns } = truncatedSvd(
      { starts: at, columns: at.slice(0, count), values, columnCount: count },
      8,
    )
    expect([...found].map(Math.round)).toEqual([40, 39, 38, 37, 36, 35, 34, 33])
    expect(Math.abs(columns[0]!)).toBeCloseTo(1, 2)
  })
})
