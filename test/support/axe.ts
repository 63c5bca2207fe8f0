import AxeBuilder from 'axe-core'
import type { Page } from 'playwright-core'

/** How a page is looked at. */
const looks = {
  light: { colorScheme: 'light', width: 1280, height: 800 },
  dark: { colorScheme: 'dark', width: 1280, height: 800 },
  phone: { colorScheme: 'light', width: 390, height: 780 },
} as const

/** Finds what somebody would be kept out by in what is shown now, by the rules of axe: in light, in dark and on a phone. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(AxeBuilder.source)
  const before = page.viewportSize()!
  const faults: string[] = []
  for (const [look, { colorScheme, ...size }] of Object.entries(looks)) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    const { violations } = await page.evaluate(() =>
      (
        globalThis as unknown as {
          axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
        }
      ).axe.run(),
    )
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        faults.push(`${look}: ${id}, ${nodes.length} times: ${nodes[0]!.html.slice(0, 200)}`)
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(before)
  return faults
}
