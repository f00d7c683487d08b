import type { ProjectFiles } from './new-project.ts'

const install = `COPY package.json package-lock.json ./
RUN npm ci`

const build = `FROM node:24-bookworm-slim AS build
WORKDIR /app
${install}
COPY . .
RUN npm run build

`

/** What the image of a project is made of. */
interface ImageContent {
  /** What is copied into it besides packages. */
  readonly copy: string
  /** What it runs, without a shell in between: a signal has to reach the process. */
  readonly command: readonly string[]
  readonly builds: boolean
}

/** The file that makes a container of the project, and what it leaves out. */
export const containerFiles = ({ copy, command, builds }: ImageContent): ProjectFiles => ({
  Dockerfile: `# syntax=docker/dockerfile:1
${builds ? build : ''}FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
${install} --omit=dev && npm cache clean --force
${copy}
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \\
  CMD ["node", "-e", "fetch(\`http://127.0.0.1:\${process.env.PORT}/live\`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD [${command.map((part) => JSON.stringify(part)).join(', ')}]
`,
  '.dockerignore': 'node_modules\ndist\n.env*\n.git\n'
})
