// Whether the service in this container is ready; its exit code tells Docker.
const answer = await fetch(`http://127.0.0.1:${process.env.INTERNAL_PORT}/readyz`, {
  signal: AbortSignal.timeout(4000),
}).catch((error) => ({ ok: false, text: () => String(error) }))
if (!answer.ok) process.stdout.write(await answer.text())
process.exit(answer.ok ? 0 : 1)
