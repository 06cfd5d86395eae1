#!/bin/sh
# Installs the packages of package-lock.json with npm. Debian 12's npm runs on Node 18, with which half of the packages would skip their
# compiled parts. There, npm first fetches Node 24 (the version in package.json) and a newer npm, which then install all packages.
set -eu
npm_version=11.21.2
options='--no-audit --no-fund --no-progress --loglevel=error'
if node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)'; then
  exec npm ci $options
fi
own="$PWD/.cache/npm/node_modules"
node_package="node-linux-$(node -p process.arch)"
node_version=$(node -p "require('./package.json').optionalDependencies['$node_package']")
npm install --prefix .cache/npm --no-save --ignore-scripts $options "$node_package@$node_version" "npm@$npm_version"
PATH="$own/$node_package/bin:$PATH" node "$own/npm/bin/npm-cli.js" ci $options
rm -rf .cache/npm
