import { putNote } from '../both/store/device.ts';

/**
 * Page shown while a sign-out waits for the network. It includes its own style and script, since a sign-out removes all kept files.
 * Its script requests /robots.txt: the worker fails that request until the sign-out has been sent.
 */
const page = `<!DOCTYPE html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Déconnexion en attente du réseau</title>
<style>
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif }
main { max-width: 36rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.5rem; line-height: 1.25 }
a { display: inline-block; padding: .75rem 0 }
</style>
</head>
<body>
<main>
<h1>Cet appareil ne garde plus rien</h1>
<p>Ce qui y était gardé pour être lu sans réseau est retiré.</p>
<p>Votre compte sera déconnecté du site dès le retour du réseau, avant toute autre page de ce navigateur. Votre progression qui n'est pas encore envoyée le sera juste avant.</p>
<p><a href="/">Réessayer maintenant</a></p>
</main>
<script>
const again = () => fetch('/robots.txt').then(() => location.replace('/'), later);
const later = () => setTimeout(again, 5000);
later();
</script>
</body>
</html>
`;

/** Stores the page that the worker shows while a sign-out waits for the network. */
export const keepFarewell = (): Promise<unknown> => putNote('farewell', new Blob([page], { type: 'text/html' }));
