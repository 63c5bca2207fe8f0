import { expect, it } from 'vitest'
import { findLinks } from '../../src/mail/links'

const kindIn = (words: string) => findLinks(`${words}: https://shop.example/x`, null, 'shop.example')[0]?.kind

it.each([
  'La vérification a échoué',
  'No se pudo verificar su cuenta',
  'Non è stato possibile verificare',
  'Login was blocked. Details',
  'Weryfikacja nie powiodła się',
  'Не удалось подтвердить адрес',
  'See what acceptable behavior means',
  'Message not accepted. See',
  'We never ask you to confirm your password',
  'Never verify your account here',
  'Ne confirmez pas',
  "Don't click to sign in",
  'Passwort zurückgesetzt wurde nicht',
  'Your confirmation number',
])('is no action in a refusal or another word: %s', (words) => {
  expect(kindIn(words)).toBeUndefined()
})

it('is an action after a refusal', () => {
  const words = 'Did you not ask for this? Then do not confirm. Otherwise confirm'
  expect(kindIn(words)).toBe('confirm')
})

it.each([
  ["Don't forget to confirm your address", 'confirm'],
  ["If you don't have a code yet, sign in", 'sign-in'],
  ['Never forget to verify', 'confirm'],
])('is an action that only sounds like a refusal: %s', (words, kind) => {
  expect(kindIn(words)).toBe(kind)
})
