// Exits with 0 if a server on this machine is ready. Containers run it as their health check, because their image has no
// curl.
import process from 'node:process';

const url = `http://127.0.0.1:${process.env.PORT || 8080}/readyz`;
try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4000) });
  if (status !== 200) console.error(`${url} returned ${status}`);
  process.exitCode = status === 200 ? 0 : 1;
} catch (error) {
  console.error(`${url}: ${error.cause ?? error}`);
  process.exitCode = 1;
}
