import type { InjectOptions } from 'fastify'

/** What a command of curl sends, for `app.inject`. Knows the options that the shop prints, and refuses all others. */
export function readCurl(command: string): InjectOptions {
  const [program, ...words] = splitWords(command)
  if (program !== 'curl') throw new Error(`not a command of curl: ${command}`)
  const read: Reading = { method: 'GET', url: '', headers: {}, query: [] }
  while (words.length > 0) readWord(words, read)
  const { method, url, headers, payload, query } = read
  const { pathname, search } = new URL(url)
  const path = query.length === 0 ? pathname + search : `${pathname}?${query.join('&')}`
  return { method, url: path, headers, ...(payload === undefined ? {} : { payload }) }
}

interface Reading {
  method: 'GET' | 'POST'
  url: string
  readonly headers: Record<string, string>
  readonly query: string[]
  payload?: string
}

function readWord(words: string[], read: Reading): void {
  const word = words.shift() ?? ''
  const option = options[word]
  if (option !== undefined) option(words, read)
  else if (word.startsWith('http://')) read.url = word
  else throw new Error(`an option of curl that the tests do not know: ${word}`)
}

const options: Readonly<Record<string, (words: string[], read: Reading) => void>> = {
  '-g': () => undefined,
  '-G': () => undefined,
  '-X': (words, read) => {
    read.method = words.shift() === 'POST' ? 'POST' : 'GET'
  },
  '-H': (words, read) => {
    const [name = '', value = ''] = (words.shift() ?? '').split(': ')
    read.headers[name] = value
  },
  '-d': (words, read) => {
    read.payload = words.shift() ?? ''
  },
  '--data-urlencode': (words, read) => {
    const word = words.shift() ?? ''
    const equals = word.indexOf('=')
    read.query.push(`${word.slice(0, equals)}=${encodeURIComponent(word.slice(equals + 1))}`)
  }
}

/** Words as a shell splits them, single quotes included. */
function splitWords(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}
