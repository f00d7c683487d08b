import { ruleTable } from '../../packages/core/dist/rules.js'
import { loopbackRules } from '../../packages/oauth2/dist/options/loopback-rules.js'
import { toTable } from './to-table.mjs'

/** The behaviours of LoopBack that are not Modelwire's own, by what makes them hold. */
export const allRules = { ...ruleTable, oauth2: loopbackRules }

/** The pages that show them. */
export const pagesOfRules = ['docs/wire-protocol.md', 'docs/oauth2.md']

const table = /(?<=<!-- rules: (\w+), made by pnpm docs:options -->\n\n)[^]*?(?=\n\n<!-- end of rules -->)/g

/**
 * A page whose tables of rules are what the sources say.
 * @param {string} page
 */
export function withRules(page) {
  return page.replace(table, (_old, mode) => {
    const rows = Object.entries(allRules[mode]).map(([name, answer]) => [`\`${name}\``, answer.replaceAll('|', '\\|')])
    return toTable([['rule', "LoopBack's answer"], ...rows])
  })
}
