import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { compileErrors, validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const browserPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
]

/** The part of a server that is needed to send requests without a port. */
interface Server {
  readonly inject: (request: {
    method: 'GET'
    url: string
    headers: Record<string, string>
    payload?: string
  }) => PromiseLike<{ statusCode: number; body: string; headers: Readonly<Record<string, unknown>> }>
}

const bodiless = new Set([204, 304])

/** A client in TypeScript that imports its types from `./api.d.ts` and exports a function `run`. */
export interface ClientSource {
  /** Of OpenAPI 3.1. */
  readonly document: object
  readonly source: string
}

const options: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts']
}

async function writeProject(folder: string, { document, source }: ClientSource): Promise<string> {
  const types = astToString(await openapiTS(JSON.stringify(document)))
  // The packages that the client imports are those of this one.
  await symlink(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'api.d.ts'), types)
  const client = join(folder, 'client.ts')
  await writeFile(client, source)
  return client
}

function compile(client: string): string[] {
  const program = ts.createProgram([client], options)
  const { diagnostics } = program.emit()
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText, file, start = 0 }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
    return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-client-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The compiler's errors in a client that is typed by a document. */
export async function clientProblems(source: ClientSource): Promise<string[]> {
  return inFolder(async (folder) => compile(await writeProject(folder, source)))
}

/**
 * Compiles a client that is typed by a document, and calls its `run` with a `fetch`.
 * @throws {TypeError} it does not compile; see the message for the place
 */
export async function runClient(
  source: ClientSource & { readonly fetch: (request: Request) => Promise<Response> }
): Promise<unknown> {
  return inFolder(async (folder) => {
    const problems = compile(await writeProject(folder, source))
    if (problems.length > 0) throw new TypeError(problems.join('\n'))
    const address = pathToFileURL(join(folder, 'client.js')).href
    const client = (await import(address)) as { run: (fetch: unknown) => Promise<unknown> } // as in ClientSource
    return client.run(source.fetch)
  })
}

/** A `fetch` that sends requests to a server without a port. */
export function injectFetch(server: Server): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const payload = request.body === null ? undefined : await request.text()
    const { statusCode, body, headers } = await server.inject({
      // The server knows all verbs; its type names one.
      method: request.method as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      ...(payload === undefined ? {} : { payload })
    })
    const type = headers['content-type']
    return new Response(bodiless.has(statusCode) ? null : body, {
      status: statusCode,
      ...(typeof type === 'string' ? { headers: { 'content-type': type } } : {})
    })
  }
}

/** What two validators find wrong with a document; none when it is valid for both. They are given copies: they change them. */
export async function documentProblems(document: object): Promise<string[]> {
  const text = JSON.stringify(document)
  const first = await new Validator().validate(JSON.parse(text) as Parameters<Validator['validate']>[0]) // it finds out
  const second = await validate(JSON.parse(text) as Parameters<typeof validate>[0]) // it finds out
  return [
    ...(first.valid ? [] : [`@seriousme/openapi-schema-validator: ${JSON.stringify(first.errors)}`]),
    ...(second.valid ? [] : [`@readme/openapi-parser: ${compileErrors(second)}`])
  ]
}

/** The path of a Chromium: `CHROMIUM_PATH`, or one of the system. Undefined when there is none. */
export function findBrowser(): string | undefined {
  const chosen = process.env['CHROMIUM_PATH']
  return chosen === undefined ? browserPaths.find((path) => existsSync(path)) : chosen
}

/** Starts a Chromium without a window. Close it. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  // A container has neither a sandbox nor much shared memory.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

/** What an examination of accessibility finds by these rules of axe-core, such as `color-contrast`: the elements by rule. */
export async function findBarriers(page: Page, rules: string[]): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    async (runOnly) => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly }), // put there above
    rules
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
