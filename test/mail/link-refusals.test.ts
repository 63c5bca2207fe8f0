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

it.each([
  ['Подтвердите не позднее 5 мая', 'confirm'],
  ['Войдите не позднее завтра', 'sign-in'],
  ['Підтвердьте не пізніше завтра', 'confirm'],
  ['Potwierdź nie później niż jutro', 'confirm'],
  ['Confirm not later than Friday', 'confirm'],
  ['Mainīt paroli', 'reset'],
  ['Terminer mon inscription', 'confirm'],
  ['Complete your enrolment', 'confirm'],
  ['Deltag', 'invite'],
  ['கடவுச்சொல்லை மீட்டமை', 'reset'],
])('is an action with a date, or in its full form: %s', (words, kind) => {
  expect(kindIn(words)).toBe(kind)
})

it.each([
  'Terminal inscription',
  'Complete the enrolment statistics',
  'Main password rules',
  'Deltag i undersøgelse',
  'Deelnemen aan het onderzoek',
  'கடவுச்சொல்',
])('is no action where only the start of a word is the same: %s', (words) => {
  expect(kindIn(words)).toBeUndefined()
})
