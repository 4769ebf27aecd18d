import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../api/problem.ts';
import { readSession, signIn, type Session } from '../../api/session.ts';
import { useAction } from '../../api/use-answer.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice, ProblemNotice } from '../../parts/notice.tsx';
import { Brand } from '../../shell/brand.tsx';

/** Shown wherever somebody is who is not signed in; who signs in stays there. */
export function SignInPage(props: {
  /** They were signed in a moment ago. */
  readonly hasEnded: boolean;
  readonly onSignIn: (session: Session) => void;
}) {
  const { hasEnded, onSignIn } = props;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [isCookieRefused, setCookieRefused] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Plumbline';
  }, []);
  const entering = useAction(async () => {
    const session = await signIn(name, password);
    setPassword('');
    const isKept = await readSession().then(
      () => true,
      () => false,
    );
    if (isKept) onSignIn(session);
    else setCookieRefused(true);
  });
  return (
    <main class="sign-in">
      <h1>
        <Brand />
      </h1>
      {hasEnded && !entering.problem && (
        <Notice kind="info">Your session has ended. Sign in again to go on where you were.</Notice>
      )}
      <div class="card">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void entering.run();
          }}
        >
          <TextField
            label="Name"
            name="username"
            autoComplete="username"
            value={name}
            onInput={setName}
            isRequired
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            onInput={setPassword}
            isRequired
          />
          {entering.problem && <Refusal problem={entering.problem} />}
          {isCookieRefused && <CookieRefused />}
          <Button kind="primary" type="submit" busy={entering.isBusy && 'Signing in …'}>
            Sign in
          </Button>
        </form>
      </div>
      <div class="quiet small stack">
        <p>
          No user yet? Whoever runs this server makes the first one:{' '}
          <code>plumbline users create --name you@example.org --role administrator</code>
        </p>
        <p>
          Programs sign in with a key: <a href="/docs">documentation</a>.
        </p>
      </div>
    </main>
  );
}

function Refusal({ problem }: { readonly problem: Problem }) {
  if (problem.code !== 'rate_limited') return <ProblemNotice problem={problem} />;
  const minutes = Math.ceil((problem.retryAfterSeconds ?? 900) / 60);
  return (
    <Notice kind="error">
      <p>
        {problem.message} Try again in {minutes} {minutes === 1 ? 'minute' : 'minutes'}.
      </p>
    </Notice>
  );
}

/** The name and the password were right, and the next request was unknown again. */
function CookieRefused() {
  return (
    <Notice kind="error" title="Your browser does not keep the session.">
      <p>
        Its cookie is kept over HTTPS only, or at <code>http://localhost</code>. Open the console by one of
        these, and allow cookies of this address: docs/operations/console.md says how to put it behind HTTPS.
      </p>
    </Notice>
  );
}
