import { withoutComments } from './find-worked-out.mjs'

// The target of a request is text that a client chose: a router takes many texts for the same path, and parsers of URLs make another text of
// one. What compares it itself, or sends it on, decides about another path than the one that answers.

/** @typedef {{ line: number, text: string, message: string }} Finding */

const read =
  'the target of a request is read: `requestPath`, `isBelow`, `originForm` and `writtenPath` of core know its forms'
const request = '(?:req|request|raw|incoming|outer)'

const kinds = [
  { message: read, pattern: new RegExp(`\\b${request}\\??\\.(?:url|originalUrl)\\b`, 'gi') },
  {
    message: read,
    pattern: new RegExp(`\\{[^{}()]*\\b(?:url|originalUrl)\\b[^{}()]*\\} = ${request}(?:\\.raw)?(?![.\\w])`, 'gi')
  },
  {
    message: read,
    pattern: /\{[^{}()]*(?<!\.)\b(?:url|originalUrl)\b[^{}()]*\}: (?:Pick<)?(?:FastifyRequest|IncomingMessage)\b(?!\[)/g
  },
  {
    message: 'routes are found by text: `routeFinder` of rest finds them as the server does',
    pattern: /from 'find-my-way'/g
  },
  {
    message: '`inject` and `fetch` parse what they send: send what `parsedTarget` of core gives',
    pattern: /\b(?:server|app|scope)\.inject\(|\binject\((?=dispatch)/g
  }
]

/**
 * Finds places in TypeScript that read or send the targets of requests.
 * @param {string} code
 * @returns {Finding[]} in the order of their lines
 */
export function findTargets(code) {
  const plain = withoutComments(code)
  const findings = kinds.flatMap(({ message, pattern }) =>
    Array.from(plain.matchAll(pattern)).map(({ 0: text, index }) => ({
      line: plain.slice(0, index).split('\n').length,
      text,
      message
    }))
  )
  return findings.toSorted((a, b) => a.line - b.line)
}
