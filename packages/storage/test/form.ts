import type { InjectOptions } from 'fastify'

const boundary = '--------boundary'

/** One part of a form. */
export interface Part {
  readonly name: string
  /** Of a file. */
  readonly fileName?: string
  readonly type?: string
  readonly content: string | Buffer
}

/** The bytes of one part. */
export function partBytes({ name, fileName, type, content }: Part): Buffer {
  const disposition = `form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`
  const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')])
}

/** Headers of a form. */
export const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** The last bytes of a form. */
export const formEnd: Buffer = Buffer.from(`--${boundary}--\r\n`)

/** A request that uploads these parts. */
export function uploadOf(url: string, ...parts: readonly Part[]): InjectOptions {
  return { method: 'POST', url, headers: formHeaders, payload: Buffer.concat([...parts.map(partBytes), formEnd]) }
}

/** A file `a.txt` in the field `file`. */
export const textFile = (content: string, fileName = 'a.txt'): Part => ({
  name: 'file',
  fileName,
  type: 'text/plain',
  content
})
